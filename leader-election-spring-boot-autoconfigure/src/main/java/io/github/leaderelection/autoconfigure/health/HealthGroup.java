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
        return contributors.stream().anyMatch(entry -> isMember.test(entry.name()) && isDown(entry.contributor()));
    }

    private static boolean isDown(HealthContributor contributor) {
        if (contributor instanceof CompositeHealthContributor composite) {
            return composite.stream().anyMatch(entry -> isDown(entry.contributor()));
        }
        Health health = contributor instanceof HealthIndicator indicator ? indicator.health(false) : null;
        return health != null && DOWN.contains(health.getStatus());
    }
}
