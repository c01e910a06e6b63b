/** For the tests of applications: an election whose outcome the test decides. */
@NullMarked
package io.github.leaderelection.test;

import org.jspecify.annotations.NullMarked;
