package org.springframework.cloud.stream.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** In the place of Spring Cloud Stream's, of which only the name matters here. */
@Retention(RetentionPolicy.RUNTIME)
public @interface StreamListener {}
