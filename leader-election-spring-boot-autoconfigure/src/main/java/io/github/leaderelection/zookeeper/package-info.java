/**
 * Elections on the ZooKeeper client: {@link io.github.leaderelection.zookeeper.ZooKeeperElections} is the entry point.
 *
 * <p>The sub-packages are internal. {@code protocol} decides, as a pure function, what an election does; {@code engine}
 * carries that out, on one loop for all elections of a connection; {@code znode} knows what the nodes look like;
 * {@code client} sends the requests. The types here stand between them and the application: they turn calls into
 * events, and publish the results.
 */
@NullMarked
package io.github.leaderelection.zookeeper;

import org.jspecify.annotations.NullMarked;
