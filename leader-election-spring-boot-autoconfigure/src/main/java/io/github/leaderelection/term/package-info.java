/** Runs methods, lifecycle beans and message listeners annotated with {@link io.github.leaderelection.WhileLeader}. */
@NullMarked
package io.github.leaderelection.term;

import org.jspecify.annotations.NullMarked;
