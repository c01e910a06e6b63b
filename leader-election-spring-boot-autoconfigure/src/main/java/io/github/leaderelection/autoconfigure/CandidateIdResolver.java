package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.support.HostName;
import java.util.function.Supplier;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Resolves the candidate's id: the configured id, or else application, host and port. The process id replaces the port
 * if there is no web server.
 */
public final class CandidateIdResolver {

    private CandidateIdResolver() {}

    /** Resolves the id when it is first needed, because the port is not known before the web server has started. */
    public static Supplier<String> resolve(LeaderElectionProperties properties, Environment environment) {
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
