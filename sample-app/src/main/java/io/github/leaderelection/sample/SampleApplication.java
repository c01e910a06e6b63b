package io.github.leaderelection.sample;

import io.github.leaderelection.sample.demo.ChildReplica;
import io.github.leaderelection.sample.demo.DemoApplication;
import io.github.leaderelection.sample.shop.ShopApplication;
import java.util.Arrays;
import java.util.List;

/** Starts the demo, or with {@code --replica} one instance of the shop. */
public final class SampleApplication {

    private SampleApplication() {}

    public static void main(String[] args) {
        List<String> arguments = Arrays.asList(args);
        if (arguments.contains(ChildReplica.OPTION)) {
            ChildReplica.main(args);
        } else if (arguments.contains("--replica")) {
            ShopApplication.main(args);
        } else {
            DemoApplication.main(args);
        }
    }
}
