package io.github.leaderelection.autoconfigure.zookeeper;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A key with a self-signed certificate, created by the JDK's keytool, in several formats. */
final class Certificates {

    static final String PASSWORD = "key-secret";

    private final Path directory;
    private final String name;
    private final KeyStore store;

    Certificates(Path directory, String name) throws Exception {
        this.directory = directory;
        this.name = name;
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keys().toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            keytool.destroyForcibly();
            throw new IllegalStateException("keytool made no key");
        }
        store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys())) {
            store.load(in, PASSWORD.toCharArray());
        }
    }

    /** A key store with key and certificate. */
    Path keys() {
        return directory.resolve(name + ".p12");
    }

    /** A trust store with the certificate. */
    Path trusted() throws GeneralSecurityException, IOException {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry(name, certificate());
        Path file = directory.resolve(name + "-trusted.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            trust.store(out, PASSWORD.toCharArray());
        }
        return file;
    }

    private Certificate certificate() throws GeneralSecurityException {
        return store.getCertificate(name);
    }

    Path certificatePem() throws GeneralSecurityException, IOException {
        return pem("certificate", "CERTIFICATE", certificate().getEncoded());
    }

    Path keyPem() throws GeneralSecurityException, IOException {
        return pem(
                "key", "PRIVATE KEY", store.getKey(name, PASSWORD.toCharArray()).getEncoded());
    }

    private Path pem(String kind, String title, byte[] content) throws IOException {
        return Files.writeString(
                directory.resolve("%s-%s.pem".formatted(name, kind)),
                "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                        .formatted(title, Base64.getMimeEncoder().encodeToString(content), title));
    }
}
