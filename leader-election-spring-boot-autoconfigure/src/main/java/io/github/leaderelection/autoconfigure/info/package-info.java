/** Auto-configuration for what the actuator endpoint {@code info} shows about elections. */
@NullMarked
package io.github.leaderelection.autoconfigure.info;

import org.jspecify.annotations.NullMarked;
