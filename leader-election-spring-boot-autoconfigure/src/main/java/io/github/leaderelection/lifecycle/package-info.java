/** Opens, joins and leaves the elections of an application. */
@NullMarked
package io.github.leaderelection.lifecycle;

import org.jspecify.annotations.NullMarked;
