/** Runs ZooKeeper and three instances of the shop, and shows on a page what happens to them. Nothing to copy here. */
@NullMarked
package io.github.leaderelection.sample.demo;

import org.jspecify.annotations.NullMarked;
