/** Whether elections go their way, as part of an application's health. */
@NullMarked
package io.github.leaderelection.health;

import org.jspecify.annotations.NullMarked;
