package io.github.leaderelection.autoconfigure.zookeeper;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.HexFormat;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.StringUtils;

/**
 * Hands an SSL bundle to ZooKeeper's client, which takes certificates from files only: they are in a directory that only
 * this user can read, encrypted with a password that nobody else knows, and are deleted when this is closed.
 */
final class KeyStoreFiles implements AutoCloseable {

    private final Path directory;
    private final String password;

    KeyStoreFiles() throws IOException {
        directory = Files.createTempDirectory("leader-election-tls");
        byte[] secret = new byte[24];
        new SecureRandom().nextBytes(secret);
        password = HexFormat.of().formatHex(secret);
    }

    /** Configures a client to connect by what the bundle holds now. */
    void configure(ZKClientConfig config, SslBundle bundle) throws IOException {
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        try (ClientX509Util names = new ClientX509Util()) {
            KeyStore keys = bundle.getStores().getKeyStore();
            if (keys != null) {
                config.setProperty(
                        names.getSslKeystoreLocationProperty(), write("keys", copy -> copyKeys(bundle, keys, copy)));
                config.setProperty(names.getSslKeystorePasswdProperty(), password);
                config.setProperty(names.getSslKeystoreTypeProperty(), "PKCS12");
            }
            KeyStore trusted = bundle.getStores().getTrustStore();
            if (trusted != null) {
                config.setProperty(
                        names.getSslTruststoreLocationProperty(),
                        write("trusted", copy -> copyCertificates(trusted, copy)));
                config.setProperty(names.getSslTruststorePasswdProperty(), password);
                config.setProperty(names.getSslTruststoreTypeProperty(), "PKCS12");
            }
            if (!bundle.getProtocol().equals(SslBundle.DEFAULT_PROTOCOL)) {
                // Where it isn't a version, ZooKeeper would find that no version is enabled.
                config.setProperty(names.getSslProtocolProperty(), bundle.getProtocol());
            }
            setAll(
                    config,
                    names.getSslEnabledProtocolsProperty(),
                    bundle.getOptions().getEnabledProtocols());
            setAll(
                    config,
                    names.getSslCipherSuitesProperty(),
                    bundle.getOptions().getCiphers());
        }
    }

    private static void setAll(ZKClientConfig config, String property, String @Nullable [] values) {
        if (values != null) {
            config.setProperty(property, StringUtils.arrayToCommaDelimitedString(values));
        }
    }

    private static char @Nullable [] keyPassword(SslBundle bundle) {
        String ofKey = bundle.getKey().getPassword();
        String ofStore = bundle.getStores().getKeyStorePassword();
        String either = ofKey != null ? ofKey : ofStore;
        return either == null ? null : either.toCharArray();
    }

    private void copyKeys(SslBundle bundle, KeyStore source, KeyStore copy) throws GeneralSecurityException {
        String only = bundle.getKey().getAlias();
        // Otherwise there would be no key at all, and the server would be the one to complain.
        bundle.getKey().assertContainsAlias(source);
        for (String alias : Collections.list(source.aliases())) {
            if (only != null && !only.equalsIgnoreCase(alias)) {
                continue;
            }
            if (source.isKeyEntry(alias)) {
                Key key = source.getKey(alias, keyPassword(bundle));
                copy.setKeyEntry(alias, key, password.toCharArray(), source.getCertificateChain(alias));
            } else {
                copy.setCertificateEntry(alias, source.getCertificate(alias));
            }
        }
    }

    /** Where a store that says whom to trust has keys too, it is their certificates that count. */
    private static void copyCertificates(KeyStore source, KeyStore copy) throws GeneralSecurityException {
        for (String alias : Collections.list(source.aliases())) {
            Certificate certificate = source.getCertificate(alias);
            if (certificate != null) {
                copy.setCertificateEntry(alias, certificate);
            }
        }
    }

    private interface Content {
        void copyTo(KeyStore copy) throws GeneralSecurityException;
    }

    /** Writes entries under the one password: ZooKeeper knows but one for the store and its keys. */
    private String write(String name, Content content) throws IOException {
        Path file = directory.resolve(name + ".p12");
        try {
            KeyStore copy = KeyStore.getInstance("PKCS12");
            copy.load(null, null);
            content.copyTo(copy);
            try (OutputStream out = Files.newOutputStream(file)) {
                copy.store(out, password.toCharArray());
            }
        } catch (GeneralSecurityException | IllegalStateException unusable) {
            throw new IOException(
                    "The SSL bundle's %s cannot be used: %s".formatted(name, unusable.getMessage()), unusable);
        }
        return file.toString();
    }

    @Override
    public void close() throws IOException {
        FileSystemUtils.deleteRecursively(directory);
    }
}
