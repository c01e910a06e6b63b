/** What guards the methods that are marked {@link io.github.leaderelection.LeaderOnly}. */
@NullMarked
package io.github.leaderelection.aop;

import org.jspecify.annotations.NullMarked;
