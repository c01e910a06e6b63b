package io.github.leaderelection.sample.demo;

import io.github.leaderelection.sample.shop.ShopApplication;
import java.io.IOException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/** An instance of the shop that was started by the demo: tells it the port, and ends with it. */
public final class ChildReplica {

    /** Says that this process is such an instance. */
    public static final String OPTION = "--child-replica";

    /** Begins the line that tells the port. */
    static final String PORT = "port ";

    private ChildReplica() {}

    public static void main(String[] args) {
        endWithParent();
        SpringApplication application = new SpringApplication(ShopApplication.class);
        application.setMainApplicationClass(ShopApplication.class);
        application.addListeners((ApplicationListener<WebServerInitializedEvent>)
                event -> System.out.println(PORT + event.getWebServer().getPort()));
        application.run(args);
    }

    /** The standard input ends when the parent does, however that may come. */
    private static void endWithParent() {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nobody has anything to say here.
                        }
                    } catch (IOException gone) {
                        // The same.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "end-with-parent");
        thread.setDaemon(true);
        thread.start();
    }
}
