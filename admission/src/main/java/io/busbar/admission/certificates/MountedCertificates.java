package io.busbar.admission.certificates;

import io.busbar.common.internal.certificate.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A folder with {@code tls.crt} and {@code tls.key}, as a mounted Secret of type {@code kubernetes.io/tls} has them,
 * and perhaps {@code ca.crt}.
 *
 * <p>One context: what was read is kept, and parsed again only when the files differ. The kubelet replaces all files of
 * a Secret at once through the link {@code ..data}, which is followed once for each read, so that a key is never paired
 * with another's certificate.
 */
public final class MountedCertificates implements CertificateSource {

    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final Path folder;
    private final String chainFile;
    private final String keyFile;
    private final Duration interval;
    private @Nullable Texts last;
    private @Nullable ServingCertificate lastParsed;

    /** Reads files named as in a Secret of type {@code kubernetes.io/tls}, every two seconds. */
    public MountedCertificates(Path folder) {
        this(folder, INTERVAL);
    }

    /** The same at another interval. */
    public MountedCertificates(Path folder, Duration interval) {
        this(folder, "tls.crt", "tls.key", interval);
    }

    /**
     * Reads every two seconds.
     *
     * @param chainFile the certificates, the server's own first
     */
    public MountedCertificates(Path folder, String chainFile, String keyFile) {
        this(folder, chainFile, keyFile, INTERVAL);
    }

    private MountedCertificates(Path folder, String chainFile, String keyFile, Duration interval) {
        this.folder = folder;
        this.chainFile = chainFile;
        this.keyFile = keyFile;
        this.interval = interval;
    }

    private record Texts(String chain, String key, String caBundle) {}

    @Override
    public Duration interval() {
        return interval;
    }

    @Override
    public ServingCertificate read() throws CertificateUnavailableException {
        Path data = folder.resolve("..data");
        Path current = Files.exists(data) ? realPath(data) : folder;
        Texts texts = new Texts(
                text(current.resolve(chainFile)),
                text(current.resolve(keyFile)),
                optionalText(current.resolve("ca.crt")));
        ServingCertificate known = lastParsed;
        if (known != null && Objects.equals(texts, last)) {
            return known;
        }
        ServingCertificate parsed = parse(texts);
        last = texts;
        lastParsed = parsed;
        return parsed;
    }

    private ServingCertificate parse(Texts texts) throws CertificateUnavailableException {
        try {
            Pem.certificates(texts.chain());
        } catch (GeneralSecurityException e) {
            throw new CertificateUnavailableException(folder.resolve(chainFile).toString(), reason(e), e);
        }
        try {
            return ServingCertificate.of(texts.chain(), texts.key(), texts.caBundle());
        } catch (GeneralSecurityException e) {
            throw new CertificateUnavailableException(folder.resolve(keyFile).toString(), reason(e), e);
        }
    }

    private static String reason(Exception e) {
        return Objects.requireNonNullElse(e.getMessage(), e.toString());
    }

    private static Path realPath(Path link) throws CertificateUnavailableException {
        try {
            return link.toRealPath();
        } catch (IOException e) {
            throw new CertificateUnavailableException(link.toString(), "cannot be followed", e);
        }
    }

    private static String optionalText(Path file) throws CertificateUnavailableException {
        return Files.exists(file) ? text(file) : "";
    }

    private static String text(Path file) throws CertificateUnavailableException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new CertificateUnavailableException(file.toString(), "no such file", e);
        } catch (IOException e) {
            throw new CertificateUnavailableException(file.toString(), "cannot be read: " + reason(e), e);
        }
    }
}
