/** Configuration of the application's elections: one bean for each of them, and their lifecycle. */
@NullMarked
package io.github.leaderelection.autoconfigure.election;

import org.jspecify.annotations.NullMarked;
