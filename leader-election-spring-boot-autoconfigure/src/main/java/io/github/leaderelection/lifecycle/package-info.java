/** When an application's elections are opened, joined and left. */
@NullMarked
package io.github.leaderelection.lifecycle;

import org.jspecify.annotations.NullMarked;
