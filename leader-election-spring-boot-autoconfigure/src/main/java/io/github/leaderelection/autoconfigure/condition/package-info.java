/** Conditions on the properties that decide which beans are defined. */
@NullMarked
package io.github.leaderelection.autoconfigure.condition;

import org.jspecify.annotations.NullMarked;
