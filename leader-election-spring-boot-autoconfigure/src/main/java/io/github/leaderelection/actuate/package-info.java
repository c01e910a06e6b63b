/** Actuator endpoint, health indicator and info contributor for elections. */
@NullMarked
package io.github.leaderelection.actuate;

import org.jspecify.annotations.NullMarked;
