/** The demo: runs ZooKeeper and three instances of the shop and shows them on a page. Not a template for applications. */
@NullMarked
package io.github.leaderelection.sample.demo;

import org.jspecify.annotations.NullMarked;
