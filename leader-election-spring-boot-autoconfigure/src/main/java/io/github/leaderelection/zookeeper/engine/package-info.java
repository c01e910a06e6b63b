/**
 * Carries out what the protocol decides, for all elections of one connection.
 *
 * <p>Internal: not part of the API, and may change with every release.
 */
@NullMarked
package io.github.leaderelection.zookeeper.engine;

import org.jspecify.annotations.NullMarked;
