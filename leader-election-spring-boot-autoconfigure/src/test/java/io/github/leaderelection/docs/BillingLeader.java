package io.github.leaderelection.docs;

import io.github.leaderelection.LeaderOnly;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@LeaderOnly(value = "billing", otherwise = LeaderOnly.Otherwise.THROW)
@interface BillingLeader {}
