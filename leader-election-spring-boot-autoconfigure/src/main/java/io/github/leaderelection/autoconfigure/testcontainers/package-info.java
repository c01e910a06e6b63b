/** Connection to a ZooKeeper container of Testcontainers. */
@NullMarked
package io.github.leaderelection.autoconfigure.testcontainers;

import org.jspecify.annotations.NullMarked;
