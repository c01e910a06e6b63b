/** Auto-configuration for the meters of elections. */
@NullMarked
package io.github.leaderelection.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
