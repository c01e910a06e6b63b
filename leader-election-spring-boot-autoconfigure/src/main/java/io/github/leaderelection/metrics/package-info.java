/** Meters and observations of elections. */
@NullMarked
package io.github.leaderelection.metrics;

import org.jspecify.annotations.NullMarked;
