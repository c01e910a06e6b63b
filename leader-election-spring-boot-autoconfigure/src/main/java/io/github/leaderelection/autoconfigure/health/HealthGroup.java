package io.github.leaderelection.autoconfigure.health;

import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** Whether one of the members of a health group is down. */
record HealthGroup(HealthContributors contributors, Predicate<String> isMember) implements BooleanSupplier {

    private static final Set<Status> DOWN = Set.of(Status.DOWN, Status.OUT_OF_SERVICE);

    @Override
    public boolean getAsBoolean() {
        return isAnyDown(contributors, "");
    }

    private boolean isAnyDown(HealthContributors contributors, String prefix) {
        return contributors.stream().anyMatch(entry -> isDown(prefix + entry.name(), entry.contributor()));
    }

    /** A group may include a part of a composite, such as {@code db/primary}, so membership is decided for each part. */
    private boolean isDown(String name, HealthContributor contributor) {
        if (contributor instanceof CompositeHealthContributor composite) {
            return isAnyDown(composite, name + "/");
        }
        if (!isMember.test(name) || !(contributor instanceof HealthIndicator indicator)) {
            return false;
        }
        Health health = indicator.health(false);
        return health != null && DOWN.contains(health.getStatus());
    }
}
