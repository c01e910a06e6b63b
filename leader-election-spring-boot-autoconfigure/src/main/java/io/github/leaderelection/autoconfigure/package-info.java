/** Elections for an application by auto-configuration. */
@NullMarked
package io.github.leaderelection.autoconfigure;

import org.jspecify.annotations.NullMarked;
