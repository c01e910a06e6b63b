/** What elections show of themselves by meters and observations. */
@NullMarked
package io.github.leaderelection.metrics;

import org.jspecify.annotations.NullMarked;
