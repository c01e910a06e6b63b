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
 * Writes an SSL bundle to key stores for ZooKeeper's client, which reads certificates from files only. The files are in a
 * directory that only this user can read, are encrypted with a random password, and are deleted on close.
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

    /** Configures a client with the current content of the bundle. */
    void configure(ZKClientConfig config, SslBundle bundle) throws IOException {
        config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        try (ClientX509Util names = new ClientX509Util()) {
            KeyStore keys = bundle.getStores().getKeyStore();
            if (keys != null) {
                config.setProperty(
                        names.getSslKeystoreLocationProperty(),
                        write("keystore", copy -> copyKeys(bundle, keys, copy)));
                config.setProperty(names.getSslKeystorePasswdProperty(), password);
                config.setProperty(names.getSslKeystoreTypeProperty(), "PKCS12");
            }
            KeyStore trusted = bundle.getStores().getTrustStore();
            if (trusted != null) {
                config.setProperty(
                        names.getSslTruststoreLocationProperty(),
                        write("truststore", copy -> copyCertificates(trusted, copy)));
                config.setProperty(names.getSslTruststorePasswdProperty(), password);
                config.setProperty(names.getSslTruststoreTypeProperty(), "PKCS12");
            }
            if (!bundle.getProtocol().equals(SslBundle.DEFAULT_PROTOCOL)) {
                // The default is not a version, and ZooKeeper would enable no version at all.
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
        String keyPassword = bundle.getKey().getPassword();
        String storePassword = bundle.getStores().getKeyStorePassword();
        String password = keyPassword != null ? keyPassword : storePassword;
        return password == null ? null : password.toCharArray();
    }

    private void copyKeys(SslBundle bundle, KeyStore source, KeyStore copy) throws GeneralSecurityException {
        String onlyAlias = bundle.getKey().getAlias();
        // Without the key the client would send no certificate, and only the server would report an error.
        bundle.getKey().assertContainsAlias(source);
        for (String alias : Collections.list(source.aliases())) {
            if (onlyAlias != null && !onlyAlias.equalsIgnoreCase(alias)) {
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

    /** Copies the certificates of keys too, because a trust store may contain keys. */
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

    /** Writes all entries with the same password, because ZooKeeper supports only one for the store and its keys. */
    private String write(String name, Content content) throws IOException {
        Path file = directory.resolve(name + ".p12");
        try {
            KeyStore copy = KeyStore.getInstance("PKCS12");
            copy.load(null, null);
            content.copyTo(copy);
            try (OutputStream out = Files.newOutputStream(file)) {
                copy.store(out, password.toCharArray());
            }
        } catch (GeneralSecurityException | IllegalStateException invalid) {
            throw new IOException(
                    "Failed to copy the %s of the SSL bundle: %s".formatted(name, invalid.getMessage()), invalid);
        }
        return file.toString();
    }

    @Override
    public void close() throws IOException {
        FileSystemUtils.deleteRecursively(directory);
    }
}
