/** Elections inside one process, without ZooKeeper: for development and tests. */
@NullMarked
package io.github.leaderelection.local;

import org.jspecify.annotations.NullMarked;
