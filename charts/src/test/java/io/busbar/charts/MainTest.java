package io.busbar.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void takes_the_file_out_of_the_words_wherever_it_stands() {
        List<String> before = new ArrayList<>(List.of("--watches-file", "a.yaml", "run", "--kubeconfig=k"));
        List<String> after = new ArrayList<>(List.of("dev", "--watches-file=b.yaml", "--port", "1"));
        List<String> none = new ArrayList<>(List.of("version"));

        assertThat(Main.watchesFile(before)).isEqualTo("a.yaml");
        assertThat(before).containsExactly("run", "--kubeconfig=k");
        assertThat(Main.watchesFile(after)).isEqualTo("b.yaml");
        assertThat(after).containsExactly("dev", "--port", "1");
        assertThat(Main.watchesFile(none)).isEqualTo("watches.yaml");
        assertThat(none).containsExactly("version");
    }
}
