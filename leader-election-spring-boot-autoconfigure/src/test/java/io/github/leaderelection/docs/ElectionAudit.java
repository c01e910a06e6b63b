package io.github.leaderelection.docs;

import io.github.leaderelection.ElectionCustomizer;
import io.github.leaderelection.ElectionListener;
import io.github.leaderelection.Leadership;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ElectionAudit {

    private final List<String> entries = new CopyOnWriteArrayList<>();

    @Bean
    ElectionCustomizer auditedElections() {
        return election -> election.addListener(new ElectionListener() {
            @Override
            public void granted(Leadership term) {
                entries.add(term.candidate().id() + " leads " + term.election());
            }
        });
    }

    List<String> entries() {
        return entries;
    }
}
