package io.busbar.common.internal.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Whom a TLS server trusts. Any thread. */
public final class TrustManagers {

    private TrustManagers() {}

    /**
     * For those whose certificate one of these CAs has signed.
     *
     * @throws IllegalArgumentException when the JDK cannot verify with such CAs
     */
    public static X509TrustManager of(List<X509Certificate> authorities) {
        try {
            KeyStore store = KeyStore.getInstance("JKS");
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return Stream.of(factory.getTrustManagers())
                    .filter(X509TrustManager.class::isInstance)
                    .map(X509TrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("cannot verify clients by these certificates", e);
        }
    }
}
