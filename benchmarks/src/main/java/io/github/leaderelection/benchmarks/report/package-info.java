/** Samples, tables and charts. */
@NullMarked
package io.github.leaderelection.benchmarks.report;

import org.jspecify.annotations.NullMarked;
