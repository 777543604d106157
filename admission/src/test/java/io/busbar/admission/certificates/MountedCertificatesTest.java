package io.busbar.admission.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountedCertificatesTest {

    @TempDir
    Path folder;

    private final ServingCertificate one = certificate();

    @Test
    void reads_certificate_key_and_ca() throws Exception {
        write(one.chainPem(), one.keyPem());
        Files.writeString(folder.resolve("ca.crt"), one.caBundle());

        ServingCertificate read = new MountedCertificates(folder).read();

        assertThat(read.servesAs(one)).isTrue();
        assertThat(read.caBundle()).isEqualTo(one.caBundle());
    }

    @Test
    void names_the_file_that_is_missing() throws Exception {
        assertThatThrownBy(new MountedCertificates(folder)::read)
                .hasMessage(folder.resolve("tls.crt") + ": no such file");
        Files.writeString(folder.resolve("tls.crt"), one.chainPem());
        assertThatThrownBy(new MountedCertificates(folder)::read)
                .hasMessage(folder.resolve("tls.key") + ": no such file");
    }

    @Test
    void refuses_a_key_that_does_not_fit() throws Exception {
        write(one.chainPem(), certificate().keyPem());

        assertThatThrownBy(new MountedCertificates(folder)::read)
                .hasMessage(folder.resolve("tls.key") + ": the private key does not fit the certificate");
    }

    @Test
    void refuses_what_is_no_certificate() throws Exception {
        write("hello", one.keyPem());

        assertThatThrownBy(new MountedCertificates(folder)::read)
                .hasMessage(folder.resolve("tls.crt") + ": holds no certificate in PEM form");
    }

    private void write(String chain, String key) throws Exception {
        Files.writeString(folder.resolve("tls.crt"), chain);
        Files.writeString(folder.resolve("tls.key"), key);
    }

    private static ServingCertificate certificate() {
        return new EphemeralCertificates(List.of("localhost")).read();
    }
}
