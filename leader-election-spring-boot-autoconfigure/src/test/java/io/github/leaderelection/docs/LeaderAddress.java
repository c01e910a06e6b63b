package io.github.leaderelection.docs;

import io.github.leaderelection.Candidate;
import io.github.leaderelection.event.OnLeaderChangedEvent;
import java.util.Optional;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class LeaderAddress {

    private volatile Optional<String> url = Optional.empty();

    @EventListener(condition = "#event.election.name() == 'reports'")
    void changed(OnLeaderChangedEvent event) {
        url = event.getLeader().map(Candidate::metadata).map(metadata -> metadata.get("url"));
    }

    Optional<String> url() {
        return url;
    }
}
