/** ZooKeeper servers and other child processes. */
@NullMarked
package io.github.leaderelection.benchmarks.server;

import org.jspecify.annotations.NullMarked;
