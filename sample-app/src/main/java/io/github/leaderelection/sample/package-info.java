/** The sample: a shop application, and a demo that runs several instances of it. */
@NullMarked
package io.github.leaderelection.sample;

import org.jspecify.annotations.NullMarked;
