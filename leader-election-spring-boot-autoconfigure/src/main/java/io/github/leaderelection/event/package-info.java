/** Application events of elections. */
@NullMarked
package io.github.leaderelection.event;

import org.jspecify.annotations.NullMarked;
