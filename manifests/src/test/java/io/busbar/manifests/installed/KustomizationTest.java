package io.busbar.manifests.installed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.manifests.installed.Tool.Outcome;
import io.busbar.manifests.yaml.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What kustomize makes of the tree, with kubectl's. */
class KustomizationTest {

    private static final Tool KUBECTL = new Tool("kubectl");
    /** 1.0 is written as 1. */
    private static final Comparator<JsonNode> NUMBERS_BY_VALUE = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue())
            : one.equals(other) ? 0 : 1;

    private static final Pattern KUSTOMIZE = Pattern.compile("Kustomize Version: v(\\d+)");

    @ParameterizedTest
    @CsvSource({"default, dist/install.yaml", "self-signed, dist/install-self-signed.yaml"})
    void is_the_same_as_the_file_to_apply(String folder, String file) {
        Map<String, ObjectNode> kustomized = CheckedIn.byKey(kustomized(folder));

        Map<String, ObjectNode> installed = CheckedIn.byKey(CheckedIn.objects(file));
        assertThat(kustomized.keySet()).hasSizeGreaterThan(20).isEqualTo(installed.keySet());
        assertThat(kustomized)
                .allSatisfy((key, object) -> assertThat(object.equals(NUMBERS_BY_VALUE, installed.get(key)))
                        .as("%s is as in %s", key, file)
                        .isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"crd", "prometheus", "network-policy", "grafana"})
    void can_be_built_folder_by_folder(String folder) {
        assertThat(kustomized(folder)).isNotEmpty();
    }

    @Test
    void has_as_many_samples_by_kustomize_as_by_file() throws Exception {
        Path samples = CheckedIn.CONFIG.resolve("samples");
        int files;
        try (var listed = Files.list(samples)) {
            files = (int) listed.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !CheckedIn.objects(file.toString())
                            .get(0)
                            .path("kind")
                            .asText()
                            .equals("Kustomization"))
                    .count();
        }

        assertThat(samples.resolve("kustomization.yaml")).doesNotExist();
        assertThat(kustomized("samples")).hasSize(files);
    }

    private static List<ObjectNode> kustomized(String folder) {
        Outcome version = KUBECTL.run(Path.of("."), "version", "--client");
        assumeThat(KUSTOMIZE.matcher(version.output()).results().map(KustomizationTest::major))
                .as("kubectl 1.27 or later: %s", version.output())
                .anyMatch(major -> major >= 5);
        Outcome built = KUBECTL.run(CheckedIn.CONFIG, "kustomize", folder);
        assertThat(built.exitCode()).as(built.output()).isZero();
        return Yaml.readAll(built.output());
    }

    private static int major(MatchResult version) {
        return Integer.parseInt(version.group(1));
    }
}
