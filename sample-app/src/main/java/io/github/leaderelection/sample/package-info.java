/** The sample: a shop, and a demo that runs several instances of it. */
@NullMarked
package io.github.leaderelection.sample;

import org.jspecify.annotations.NullMarked;
