package io.github.leaderelection.autoconfigure.messaging;

import io.github.leaderelection.Election;
import io.github.leaderelection.Elections;
import io.github.leaderelection.lifecycle.ElectionProvider;
import io.github.leaderelection.zookeeper.fixture.TestServer;
import org.springframework.context.ConfigurableApplicationContext;

/** An instance in this process. */
final class ContextInstance extends Instance {

    private final TestServer server;
    private final ConfigurableApplicationContext context;

    ContextInstance(String name, TestServer server, Journal journal, Class<?> application, String... properties) {
        super(name, server, journal);
        this.server = server;
        this.context = run(
                name, proxy().address(), line -> MessageHandler.enter(journal, name, line), application, properties);
    }

    @Override
    boolean isAlive() {
        return context.isActive();
    }

    Election election() {
        return context.getBean(Elections.class).get("orders");
    }

    /** Ends the session as the server does when it has not heard of the client for too long. */
    void expire() {
        Long session = context.getBean(ElectionProvider.class).connection().sessionId();
        server.server().closeSession(session);
    }

    @Override
    public void close() {
        context.close();
        super.close();
    }
}
