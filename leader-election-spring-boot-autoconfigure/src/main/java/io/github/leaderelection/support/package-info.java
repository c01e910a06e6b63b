/**
 * What every kind of election needs, delivery to listeners and draining, and what those inside one process share. Not for
 * applications: what is public here is so for the other packages, and may change.
 */
@NullMarked
package io.github.leaderelection.support;

import org.jspecify.annotations.NullMarked;
