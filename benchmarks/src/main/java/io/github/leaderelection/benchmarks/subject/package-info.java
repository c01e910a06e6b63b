/** The leader elections that are compared, all behind one interface. */
@NullMarked
package io.github.leaderelection.benchmarks.subject;

import org.jspecify.annotations.NullMarked;
