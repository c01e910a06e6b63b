package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.shop.ShopApplication;
import java.io.IOException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/** Main class of a replica that the demo starts: prints its port for the demo, and exits when the demo does. */
public final class ChildReplica {

    /** Command-line option that selects this main class. */
    public static final String OPTION = "--child-replica";

    /** Prefix of the line with the port. */
    static final String PORT_PREFIX = "port ";

    private ChildReplica() {}

    public static void main(String[] args) {
        exitWithParent();
        SpringApplication application = new SpringApplication(ShopApplication.class);
        application.setMainApplicationClass(ShopApplication.class);
        application.addListeners((ApplicationListener<WebServerInitializedEvent>)
                event -> System.out.println(PORT_PREFIX + event.getWebServer().getPort()));
        application.run(args);
    }

    /** Standard input is closed when the parent process exits, even if it is killed. */
    private static void exitWithParent() {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // The parent never writes anything: wait for the end of the stream.
                        }
                    } catch (IOException closed) {
                        // Same as the end of the stream.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "exit-with-parent");
        thread.setDaemon(true);
        thread.start();
    }
}
