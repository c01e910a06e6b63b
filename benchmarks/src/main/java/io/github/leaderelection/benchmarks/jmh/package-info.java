/** Microbenchmarks, run by JMH. */
@NullMarked
package io.github.leaderelection.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
