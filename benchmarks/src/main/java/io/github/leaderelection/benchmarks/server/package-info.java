/** ZooKeeper servers in processes of their own. */
@NullMarked
package io.github.leaderelection.benchmarks.server;

import org.jspecify.annotations.NullMarked;
