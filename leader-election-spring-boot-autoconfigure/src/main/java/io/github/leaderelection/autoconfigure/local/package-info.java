/** Configuration of elections inside this process. */
@NullMarked
package io.github.leaderelection.autoconfigure.local;

import org.jspecify.annotations.NullMarked;
