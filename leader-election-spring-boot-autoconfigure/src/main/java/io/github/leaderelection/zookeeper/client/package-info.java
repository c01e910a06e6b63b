/**
 * The asynchronous port to ZooKeeper.
 *
 * <p>Internal: not part of the API, and may change with every release.
 */
@NullMarked
package io.github.leaderelection.zookeeper.client;

import org.jspecify.annotations.NullMarked;
