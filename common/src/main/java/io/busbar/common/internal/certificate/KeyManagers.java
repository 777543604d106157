package io.busbar.common.internal.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;

/**
 * What a TLS server shows of itself.
 *
 * <p>Any thread. A key that is given to Vert.x as PEM goes through a PKCS#12 store, which derives a password from ten
 * thousand rounds of a hash, twice: 150 ms of a start. These keys stay in memory, so that an older and quicker store
 * does.
 */
public final class KeyManagers {

    private static final char[] NO_PASSWORD = {};

    private KeyManagers() {}

    /**
     * For one certificate.
     *
     * @param chain the server's own certificate first
     * @throws IllegalArgumentException when the JDK cannot serve with such a key
     */
    public static X509KeyManager of(PrivateKey key, List<X509Certificate> chain) {
        try {
            KeyStore store = KeyStore.getInstance("JKS");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("serving", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return Stream.of(factory.getKeyManagers())
                    .filter(X509KeyManager.class::isInstance)
                    .map(X509KeyManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("cannot serve with a key of " + key.getAlgorithm(), e);
        }
    }
}
