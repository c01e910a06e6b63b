/** Measures elections against their peers, side by side. */
@NullMarked
package io.github.leaderelection.benchmarks;

import org.jspecify.annotations.NullMarked;
