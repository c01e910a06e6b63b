/**
 * A soak: several candidate processes on an ensemble of three, a nemesis that disturbs all of them, and a checker of what
 * was seen. The candidates know nothing but the public API.
 */
@NullMarked
package io.github.leaderelection.soak;

import org.jspecify.annotations.NullMarked;
