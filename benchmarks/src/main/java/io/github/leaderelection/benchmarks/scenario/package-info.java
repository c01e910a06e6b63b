/** The scenarios, and the parts that they share. */
@NullMarked
package io.github.leaderelection.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
