package io.github.leaderelection.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leaderelection.test.TestElection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.StaticApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
class ElectionEventPublisherTests {

    @Test
    void logNamesEventListenersThatFailed(CapturedOutput output) {
        var election = new TestElection("orders");
        var publisher = new ElectionEventPublisher(event -> {
            throw new IllegalStateException("The application's fault");
        });
        publisher.customize(election);
        publisher.onApplicationEvent(new ContextRefreshedEvent(new StaticApplicationContext()));
        election.grant();
        assertThat(output).contains("A listener of election 'orders' failed: the application's event listeners");
    }
}
