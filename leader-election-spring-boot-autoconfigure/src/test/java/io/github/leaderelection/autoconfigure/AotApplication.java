package io.github.leaderelection.autoconfigure;

import io.github.leaderelection.Election;
import io.github.leaderelection.WhileLeader;
import io.github.leaderelection.autoconfigure.messaging.MessageListenerAutoConfiguration;
import io.github.leaderelection.zookeeper.fixture.ChildProcess;
import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.aot.AotDetector;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.core.JmsTemplate;

/** An application with all that can run for a term, for ahead-of-time processing. Its output says what runs. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    PropertyPlaceholderAutoConfiguration.class,
    LeaderElectionAutoConfiguration.class,
    MessageListenerAutoConfiguration.class
})
@EnableJms
class AotApplication {

    private static final String BROKER = "vm://93";

    public static void main(String[] arguments) throws Exception {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(AotApplication.class)
                .web(WebApplicationType.NONE)
                .run(arguments);
        // Ahead-of-time processing does not get here.
        ChildProcess.endWithParent();
        new EmbeddedActiveMQ()
                .setConfiguration(new ConfigurationImpl()
                        .setPersistenceEnabled(false)
                        .setSecurityEnabled(false)
                        .addAcceptorConfiguration("in-vm", BROKER))
                .start();
        new JmsTemplate(context.getBean(ConnectionFactory.class)).convertAndSend("orders", "1");
        report("processed ahead of time: " + AotDetector.useGeneratedArtifacts());
        report("nothing runs: " + !context.getBean(Service.class).isRunning());
        context.getBean(Election.class).nominate();
    }

    /** The parent process reads this. */
    private static void report(String line) {
        System.out.println(line);
    }

    @Bean
    ConnectionFactory connectionFactory() {
        return new ActiveMQConnectionFactory(BROKER);
    }

    @Bean
    DefaultJmsListenerContainerFactory jmsListenerContainerFactory(ConnectionFactory connections) {
        var factory = new DefaultJmsListenerContainerFactory();
        factory.setConnectionFactory(connections);
        return factory;
    }

    @Bean
    Work work() {
        return new Work();
    }

    @Bean
    @WhileLeader("orders")
    Service service() {
        return new Service();
    }

    static class Work {

        @WhileLeader("orders")
        void run() {
            report("method runs");
        }

        @WhileLeader("orders")
        @JmsListener(id = "orders", destination = "orders")
        void handle(String message) {
            report("listener receives " + message);
        }
    }

    static class Service implements SmartLifecycle {

        private volatile boolean running;
        private volatile boolean autoStartup = true;

        public void setAutoStartup(boolean autoStartup) {
            this.autoStartup = autoStartup;
        }

        @Override
        public boolean isAutoStartup() {
            return autoStartup;
        }

        @Override
        public void start() {
            running = true;
            report("bean runs");
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }
}
