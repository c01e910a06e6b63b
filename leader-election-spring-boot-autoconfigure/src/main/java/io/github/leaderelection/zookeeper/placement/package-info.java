/**
 * Internal: decides which connection should lead which election. Pure: it knows no clock, no client and no logger.
 */
@NullMarked
package io.github.leaderelection.zookeeper.placement;

import org.jspecify.annotations.NullMarked;
