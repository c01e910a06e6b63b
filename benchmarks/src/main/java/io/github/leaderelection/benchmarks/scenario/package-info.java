/** What is measured. */
@NullMarked
package io.github.leaderelection.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
