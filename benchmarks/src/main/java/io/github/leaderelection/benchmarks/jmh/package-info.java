/** What takes nanoseconds. */
@NullMarked
package io.github.leaderelection.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
