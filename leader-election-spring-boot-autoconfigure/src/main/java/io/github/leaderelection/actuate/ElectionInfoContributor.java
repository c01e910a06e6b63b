package io.github.leaderelection.actuate;

import io.github.leaderelection.Elections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Contributes the role of this instance in each election. */
public final class ElectionInfoContributor implements InfoContributor {

    private final Elections elections;

    public ElectionInfoContributor(Elections elections) {
        this.elections = elections;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> roles = new LinkedHashMap<>();
        elections
                .all()
                .forEach(election -> roles.put(
                        election.name(), Map.of("role", election.role().name())));
        builder.withDetail("election", roles);
    }
}
