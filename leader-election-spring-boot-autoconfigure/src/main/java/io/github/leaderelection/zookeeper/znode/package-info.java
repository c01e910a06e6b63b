/**
 * What the election's nodes in ZooKeeper look like.
 *
 * <p>Internal: not part of the API, and may change with every release.
 */
@NullMarked
package io.github.leaderelection.zookeeper.znode;

import org.jspecify.annotations.NullMarked;
