package io.awspring.cloud.sqs.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** In the place of Spring Cloud AWS's, of which only the name matters here. */
@Retention(RetentionPolicy.RUNTIME)
public @interface SqsListener {}
