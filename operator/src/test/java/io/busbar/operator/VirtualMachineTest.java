package io.busbar.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

class VirtualMachineTest {

    private final Properties properties = new Properties();

    @Test
    void a_machine_with_many_processors_and_both_compilers_is_left_as_it_is() {
        VirtualMachine.settle(properties, 3, true);

        assertThat(properties).isEmpty();
    }

    @Test
    void on_few_processors_the_common_pool_has_two_threads() {
        VirtualMachine.settle(properties, 2, true);

        assertThat(properties).hasSize(1).containsEntry(VirtualMachine.COMMON_POOL, "2");
    }

    @Test
    void without_the_second_compiler_ChaCha20_comes_first_and_the_JDK_knows_all_suites() throws Exception {
        VirtualMachine.settle(properties, 3, false);

        for (String side : VirtualMachine.CIPHER_SUITES) {
            List<String> suites = List.of(properties.getProperty(side).split(","));
            assertThat(suites).first().asString().contains("CHACHA20");
            assertThat(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites())
                    .containsAll(suites);
        }
    }

    @Test
    void what_somebody_has_set_stays() {
        properties.setProperty(VirtualMachine.COMMON_POOL, "1");
        VirtualMachine.CIPHER_SUITES.forEach(side -> properties.setProperty(side, "TLS_AES_256_GCM_SHA384"));

        VirtualMachine.settle(properties, 1, false);

        assertThat(properties.values()).containsOnly("1", "TLS_AES_256_GCM_SHA384");
    }
}
