/** What operators see and steer: the endpoint {@code election}, and its part of {@code info}. */
@NullMarked
package io.github.leaderelection.actuate;

import org.jspecify.annotations.NullMarked;
