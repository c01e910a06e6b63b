package io.github.leaderelection.aop.inherited;

import io.github.leaderelection.LeaderOnly;

/** For subclasses in other packages, of which no proxy can override the method. */
public class PackagePrivateJob {

    @LeaderOnly("orders")
    void job() {}
}
