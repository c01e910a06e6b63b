/** Auto-configuration for the health of elections. */
@NullMarked
package io.github.leaderelection.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
