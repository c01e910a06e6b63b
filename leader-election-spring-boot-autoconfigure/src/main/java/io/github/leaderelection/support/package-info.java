/**
 * Support for elections on ZooKeeper, elections inside one process and the integration with Spring: delivery to
 * listeners, draining, and the view of an election that operators need. Internal: its types are public only for the
 * other packages and may change.
 */
@NullMarked
package io.github.leaderelection.support;

import org.jspecify.annotations.NullMarked;
