/** Compares our elections with other implementations of leader election on ZooKeeper. */
@NullMarked
package io.github.leaderelection.benchmarks;

import org.jspecify.annotations.NullMarked;
