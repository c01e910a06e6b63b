/** Responses of web applications on instances that do not lead. */
@NullMarked
package io.github.leaderelection.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
