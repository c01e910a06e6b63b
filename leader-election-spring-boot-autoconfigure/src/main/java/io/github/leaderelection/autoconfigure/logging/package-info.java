/** Default levels of the loggers of ZooKeeper's client. */
@NullMarked
package io.github.leaderelection.autoconfigure.logging;

import org.jspecify.annotations.NullMarked;
