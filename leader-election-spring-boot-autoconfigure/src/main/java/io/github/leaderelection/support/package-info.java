/** What every kind of election needs: delivery to listeners, draining, and elections inside one process. Not part of the public API. */
@NullMarked
package io.github.leaderelection.support;

import org.jspecify.annotations.NullMarked;
