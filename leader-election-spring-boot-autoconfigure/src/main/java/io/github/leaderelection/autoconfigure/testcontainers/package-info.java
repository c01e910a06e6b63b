/** The address of a ZooKeeper that Testcontainers runs. */
@NullMarked
package io.github.leaderelection.autoconfigure.testcontainers;

import org.jspecify.annotations.NullMarked;
