/** Interceptor for methods annotated with {@link io.github.leaderelection.LeaderOnly}. */
@NullMarked
package io.github.leaderelection.aop;

import org.jspecify.annotations.NullMarked;
