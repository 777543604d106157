package io.busbar.admission.certificates;

import io.busbar.common.internal.certificate.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Objects;

/**
 * The certificate of another source, with the CAs of a file by which clients are verified. The file is read as often as
 * the source is, and one that cannot be read is as a certificate that cannot be read.
 *
 * <p>One worker.
 */
public final class ClientCaFile implements CertificateSource {

    private final CertificateSource source;
    private final Path file;

    /**
     * @param file of certificates in PEM form
     */
    public ClientCaFile(CertificateSource source, Path file) {
        this.source = source;
        this.file = file;
    }

    @Override
    public ServingCertificate read() throws CertificateUnavailableException {
        ServingCertificate certificate = source.read();
        try {
            return certificate.toClientsOf(Pem.certificates(Files.readString(file)));
        } catch (NoSuchFileException e) {
            throw new CertificateUnavailableException(file.toString(), "no such file", e);
        } catch (IOException | CertificateException e) {
            throw new CertificateUnavailableException(
                    file.toString(), Objects.requireNonNullElse(e.getMessage(), e.toString()), e);
        }
    }

    @Override
    public Duration interval() {
        return source.interval();
    }
}
