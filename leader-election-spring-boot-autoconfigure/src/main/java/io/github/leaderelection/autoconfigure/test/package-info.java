/** Support for tests of applications with Spring. */
@NullMarked
package io.github.leaderelection.autoconfigure.test;

import org.jspecify.annotations.NullMarked;
