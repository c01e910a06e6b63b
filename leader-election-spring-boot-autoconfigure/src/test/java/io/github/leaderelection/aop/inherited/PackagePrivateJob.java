package io.github.leaderelection.aop.inherited;

import io.github.leaderelection.LeaderOnly;

/** A proxy of a subclass in another package cannot override the method. */
public class PackagePrivateJob {

    @LeaderOnly("orders")
    void job() {}
}
