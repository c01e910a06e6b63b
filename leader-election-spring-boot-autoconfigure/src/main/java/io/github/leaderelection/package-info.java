/** Public API: elections, leadership and their status. */
@NullMarked
package io.github.leaderelection;

import org.jspecify.annotations.NullMarked;
