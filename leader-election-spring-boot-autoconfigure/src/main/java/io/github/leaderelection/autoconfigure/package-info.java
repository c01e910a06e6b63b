/** Auto-configuration for leader election. */
@NullMarked
package io.github.leaderelection.autoconfigure;

import org.jspecify.annotations.NullMarked;
