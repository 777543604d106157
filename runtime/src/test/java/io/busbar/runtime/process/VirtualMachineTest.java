package io.busbar.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

class VirtualMachineTest {

    private final Properties properties = new Properties();

    @Test
    void on_a_machine_with_many_processors_and_both_compilers_only_what_is_not_needed_is_left_out() {
        VirtualMachine.settle(properties, 3, true);

        assertThat(properties)
                .containsOnly(
                        entry(VirtualMachine.KEY_STORE_ROUNDS, "1"),
                        entry(VirtualMachine.NO_RESOLVER, "true"),
                        entry(VirtualMachine.NO_FILES_OF_THE_JAR, "true"),
                        entry(VirtualMachine.LOGGING, JdkLogging.class.getName()));
    }

    @Test
    void on_few_processors_the_common_pool_has_two_threads() {
        VirtualMachine.settle(properties, 2, true);

        assertThat(properties).containsEntry(VirtualMachine.COMMON_POOL, "2");
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
    void what_somebody_has_set_for_the_logs_of_the_JDK_stays() {
        properties.setProperty(VirtualMachine.LOGGING_FILE, "/etc/logging.properties");

        VirtualMachine.settle(properties, 3, true);

        assertThat(properties).doesNotContainKey(VirtualMachine.LOGGING);
    }

    @Test
    void what_somebody_has_set_stays() {
        properties.setProperty(VirtualMachine.COMMON_POOL, "1");
        properties.setProperty(VirtualMachine.KEY_STORE_ROUNDS, "1000");
        properties.setProperty(VirtualMachine.NO_RESOLVER, "false");
        properties.setProperty(VirtualMachine.NO_FILES_OF_THE_JAR, "false");
        properties.setProperty(VirtualMachine.LOGGING, "false");
        VirtualMachine.CIPHER_SUITES.forEach(side -> properties.setProperty(side, "TLS_AES_256_GCM_SHA384"));

        VirtualMachine.settle(properties, 1, false);

        assertThat(properties.values()).containsOnly("1", "1000", "false", "TLS_AES_256_GCM_SHA384");
    }
}
