/** Configuration of elections on ZooKeeper and of the connection they use. */
@NullMarked
package io.github.leaderelection.autoconfigure.zookeeper;

import org.jspecify.annotations.NullMarked;
