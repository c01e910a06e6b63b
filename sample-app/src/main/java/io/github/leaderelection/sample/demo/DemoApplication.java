package io.github.leaderelection.sample.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** ZooKeeper, three replicas of the shop, each a process of its own, and a page that shows them. */
@SpringBootApplication
@EnableConfigurationProperties(DemoProperties.class)
public class DemoApplication {

    private static final int USUAL_PORT = 8080;

    public static void main(String[] args) {
        SpringApplication application = new SpringApplication(DemoApplication.class);
        application.setDefaultProperties(
                Map.of("spring.config.name", "demo", "server.port", isFree(USUAL_PORT) ? USUAL_PORT : 0));
        application.run(args);
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
