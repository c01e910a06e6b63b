/**
 * The election engine on the raw ZooKeeper client.
 *
 * <p>{@link io.github.leaderelection.zookeeper.Protocol} is the heart: a pure function from a {@code ElectionState} (what one
 * election of this process does and knows) and a {@code Event} to the next ballot and the {@code Command}s to carry out.
 * {@code Engine} carries them out, for all elections of one connection; it also owns what belongs to the connection: the
 * {@code Heartbeat}, whose acknowledgements are the lease, the {@code LeaseTimer} that sends it and ends leases in time, the
 * {@code ObservedHeartbeats} of others' beats, the {@code RequestThrottle} of what waits until less is under way, and the
 * {@code RecheckTimer}, whose reads go in {@code ReadBatcher}. {@code AsyncClient} is the only way to ZooKeeper. All of it runs on one
 * {@code Loop}; nothing in here blocks, and of the application's code only what tells the candidate's id is called.
 */
@NullMarked
package io.github.leaderelection.zookeeper;

import org.jspecify.annotations.NullMarked;
