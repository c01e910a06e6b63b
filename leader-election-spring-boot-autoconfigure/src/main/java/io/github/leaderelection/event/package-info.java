/** The events of elections, as an application's event listeners get them. */
@NullMarked
package io.github.leaderelection.event;

import org.jspecify.annotations.NullMarked;
