/** Auto-configuration for the actuator endpoint {@code election}. */
@NullMarked
package io.github.leaderelection.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
