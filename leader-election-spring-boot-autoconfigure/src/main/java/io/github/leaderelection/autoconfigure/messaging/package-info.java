/** Auto-configuration for message listeners that run for a term. */
@NullMarked
package io.github.leaderelection.autoconfigure.messaging;

import org.jspecify.annotations.NullMarked;
