/** The shop, an application to copy from: scheduled jobs that only the leader runs, event listeners, a status resource. */
@NullMarked
package io.github.leaderelection.sample.shop;

import org.jspecify.annotations.NullMarked;
