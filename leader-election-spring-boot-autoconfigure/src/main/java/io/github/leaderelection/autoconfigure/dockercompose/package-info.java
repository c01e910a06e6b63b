/** Connection to a ZooKeeper service of Docker Compose. */
@NullMarked
package io.github.leaderelection.autoconfigure.dockercompose;

import org.jspecify.annotations.NullMarked;
