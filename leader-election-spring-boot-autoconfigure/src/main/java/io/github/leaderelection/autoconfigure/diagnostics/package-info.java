/** Failure analyzers that explain why an application with elections failed to start. */
@NullMarked
package io.github.leaderelection.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
