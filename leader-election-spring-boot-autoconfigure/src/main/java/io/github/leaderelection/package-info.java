/** The public API: elections, leadership, and what can be learned about them. */
@NullMarked
package io.github.leaderelection;

import org.jspecify.annotations.NullMarked;
