/** The application to copy from: jobs that only a leader runs, a listener, and what it tells about itself. */
@NullMarked
package io.github.leaderelection.sample.shop;

import org.jspecify.annotations.NullMarked;
