/**
 * The rules of the election, as a pure function: no clock, no client, no logging.
 *
 * <p>Internal: not part of the API, and may change with every release.
 */
@NullMarked
package io.github.leaderelection.zookeeper.protocol;

import org.jspecify.annotations.NullMarked;
