/**
 * A soak test: several candidate processes on an ensemble of three servers, a nemesis that injects faults into all of
 * them, and a checker of what was observed. The candidates use nothing but the public API.
 */
@NullMarked
package io.github.leaderelection.soak;

import org.jspecify.annotations.NullMarked;
