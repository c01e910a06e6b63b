package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.github.leaderelection.lifecycle.ElectionProvider;
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
final class Instance implements AutoCloseable {

    private final String name;
    private final TestServer server;
    private final TcpProxy proxy;
    private final ConfigurableApplicationContext context;

    Instance(String name, TestServer server, Journal journal, Class<?> application, String... properties) {
        this.name = name;
        this.server = server;
        this.proxy = new TcpProxy(server.port());
        this.context = new SpringApplicationBuilder(Base.class, application)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "leader-election.elections.orders.participate=true",
                        "leader-election.candidate.id=" + name,
                        "leader-election.zookeeper.connect-string=" + proxy.address(),
                        "leader-election.zookeeper.session-timeout=3s")
                .properties(properties)
                .initializers(application1 -> {
                    application1.getBeanFactory().registerSingleton("journal", journal);
                    application1.getBeanFactory().registerSingleton("instanceName", name);
                })
                .run();
        journal.observe(name, election());
    }

    String name() {
        return name;
    }

    Election election() {
        return context.getBean(Elections.class).get("orders");
    }

    boolean leads() {
        return context.isActive() && election().isLeader();
    }

    /** Ends the session as the server does after a crash. */
    void expire() {
        Long session = context.getBean(ElectionProvider.class).connection().sessionId();
        server.server().closeSession(session);
    }

    void cut() {
        proxy.cut();
    }

    void reconnect() {
        proxy.open();
    }

    @Override
    public void close() {
        context.close();
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
