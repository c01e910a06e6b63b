/** The address of a ZooKeeper that Docker Compose runs. */
@NullMarked
package io.github.leaderelection.autoconfigure.dockercompose;

import org.jspecify.annotations.NullMarked;
