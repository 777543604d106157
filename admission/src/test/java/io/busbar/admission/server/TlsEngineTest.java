package io.busbar.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.OpenSSLEngineOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class TlsEngineTest {

    /** Where it cannot be loaded, nothing tells of that but what the webhooks take. */
    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void is_boringssl_where_images_run() {
        assertThat(TlsEngine.fastest()).isInstanceOf(OpenSSLEngineOptions.class);
        assertThat(TlsEngine.fastest().getUseWorkerThread()).isTrue();
    }
}
