package io.github.leaderelection.benchmarks.recipes;

import io.github.leaderelection.WhileLeader;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.core.MessageSource;
import org.springframework.integration.endpoint.SourcePollingChannelAdapter;
import org.springframework.messaging.MessageChannel;
import org.springframework.scheduling.support.PeriodicTrigger;

/** An endpoint of Spring Integration that polls while this instance leads. */
@Configuration(proxyBeanMethods = false)
class ImportConfiguration {

    @Bean
    @WhileLeader("imports")
    SourcePollingChannelAdapter importAdapter(MessageSource<?> files, MessageChannel imports) {
        var adapter = new SourcePollingChannelAdapter();
        adapter.setSource(files);
        adapter.setOutputChannel(imports);
        adapter.setTrigger(new PeriodicTrigger(Duration.ofSeconds(1)));
        adapter.setMaxMessagesPerPoll(1);
        return adapter;
    }
}
