package io.github.leaderelection.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * A ZooKeeper server in a process of its own, with a plain port and one for TLS, on which clients have to have a
 * certificate. It also knows the SASL user "shop", whose password is "jaas-secret".
 */
public final class SecureServer implements AutoCloseable {

    private final int plainPort = FreePort.pick();
    private final int securePort = FreePort.pick();
    private final ChildProcess process;

    public SecureServer(Path directory, Path keys, Path trusted, String password) {
        try {
            Path jaas = Files.writeString(directory.resolve("server.jaas"), """
                    Server {
                      org.apache.zookeeper.server.auth.DigestLoginModule required user_shop="jaas-secret";
                    };
                    """);
            Path configuration = Files.write(
                    directory.resolve("zoo.cfg"),
                    List.of(
                            "tickTime=500",
                            "dataDir=" + Files.createDirectory(directory.resolve("data")),
                            "admin.enableServer=false",
                            "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                            "fips-mode=false",
                            "authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
                            "clientPortAddress=127.0.0.1",
                            "clientPort=" + plainPort,
                            "secureClientPortAddress=127.0.0.1",
                            "secureClientPort=" + securePort,
                            "ssl.clientAuth=need",
                            "ssl.keyStore.location=" + keys,
                            "ssl.keyStore.password=" + password,
                            "ssl.keyStore.type=PKCS12",
                            "ssl.trustStore.location=" + trusted,
                            "ssl.trustStore.password=" + password,
                            "ssl.trustStore.type=PKCS12"));
            process = ChildProcess.start(
                    Main.class, directory.resolve("server.log"), configuration.toString(), jaas.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String plainAddress() {
        return "127.0.0.1:" + plainPort;
    }

    public String secureAddress() {
        return "127.0.0.1:" + securePort;
    }

    @Override
    public void close() {
        process.close();
    }

    static final class Main {

        private Main() {}

        public static void main(String[] arguments) {
            ChildProcess.endWithParent();
            System.setProperty("java.security.auth.login.config", arguments[1]);
            QuorumPeerMain.main(new String[] {arguments[0]});
        }
    }
}
