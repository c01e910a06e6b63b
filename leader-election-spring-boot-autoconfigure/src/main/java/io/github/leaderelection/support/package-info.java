/**
 * What every kind of election needs, delivery to listeners and draining, and what those inside one process share. Not
 * part of the public API.
 */
@NullMarked
package io.github.leaderelection.support;

import org.jspecify.annotations.NullMarked;
