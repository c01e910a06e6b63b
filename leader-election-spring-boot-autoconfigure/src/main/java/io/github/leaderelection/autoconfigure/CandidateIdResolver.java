package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.support.HostName;
import java.util.function.Supplier;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/** What this instance is called unless told: application, host and port, or the process id where there is no port. */
public final class CandidateIdResolver {

    private CandidateIdResolver() {}

    /** Looked up when it is first needed, since the port is known only when the web server runs. */
    public static Supplier<String> of(LeaderElectionProperties properties, Environment environment) {
        String id = properties.candidate().id();
        return StringUtils.hasText(id) ? () -> id : SingletonSupplier.of(() -> derive(environment));
    }

    private static String derive(Environment environment) {
        String port = environment.getProperty("local.server.port");
        return "%s@%s:%s"
                .formatted(
                        environment.getProperty("spring.application.name", "application"),
                        HostName.local(),
                        port != null ? port : ProcessHandle.current().pid());
    }
}
