package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.zookeeper.fixture.TcpProxy;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** One instance of an application with a consumer, whose connection to ZooKeeper can be cut. */
abstract class Instance implements AutoCloseable {

    private final String name;
    private final Journal journal;
    private final TcpProxy proxy;

    Instance(String name, TestServer server, Journal journal) {
        this.name = name;
        this.journal = journal;
        this.proxy = new TcpProxy(server.port());
    }

    static ConfigurableApplicationContext run(
            String name, String zooKeeper, MessageHandler.Reports reports, Class<?> application, String... properties) {
        return new SpringApplicationBuilder(Base.class, application)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "leader-election.elections.orders.participate=true",
                        "leader-election.candidate.id=" + name,
                        "leader-election.zookeeper.connect-string=" + zooKeeper,
                        // The lease, a third of it, must not run out on a busy machine.
                        "leader-election.zookeeper.session-timeout=12s")
                .properties(properties)
                .initializers(context ->
                        context.getBeanFactory().registerSingleton("messageHandler", new MessageHandler(reports)))
                .run();
    }

    final String name() {
        return name;
    }

    final Journal journal() {
        return journal;
    }

    final TcpProxy proxy() {
        return proxy;
    }

    abstract boolean isAlive();

    final boolean leads() {
        return journal.leads(name);
    }

    final void cut() {
        proxy.cut();
    }

    final void reconnect() {
        proxy.open();
    }

    @Override
    public void close() {
        proxy.close();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        PropertyPlaceholderAutoConfiguration.class,
        SslAutoConfiguration.class,
        LeaderElectionAutoConfiguration.class,
        MessageListenerAutoConfiguration.class
    })
    static class Base {}
}
