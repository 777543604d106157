package io.busbar.operator.bundled;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.manifests.ManifestTree;
import io.busbar.manifests.webhook.WebhookConfigurations;
import io.busbar.operator.sidecarset.SidecarSetBundle;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class BundledManifestsTest {

    /** Tests run in their module's folder. */
    private static final Path CHECKED_IN = Path.of("..", "manifests");

    private static final ManifestTree TREE = Bundled.operator().manifests();

    @Test
    void the_tree_is_what_the_generator_writes() throws IOException {
        assertThat(TREE.differencesIn(CHECKED_IN))
                .as("to mend: java -jar operator/target/busbar.jar manifests --output manifests")
                .isEmpty();
    }

    @Test
    void the_samples_are_sidecar_sets_without_unknown_fields_beside_containers() {
        KubernetesSerialization serialization = new KubernetesSerialization();

        assertThat(TREE.files()).hasEntrySatisfying("config/samples/apps_v1alpha1_sidecarset.yaml", yaml -> {
            SidecarSet sample = serialization.unmarshal(yaml, SidecarSet.class);
            SidecarSet again = serialization.unmarshal(serialization.asYaml(sample), SidecarSet.class);
            assertThat(sample.getSpec().containers()).isNotEmpty();
            assertThat(sample.getSpec().containers())
                    .allSatisfy(container ->
                            assertThat(container.getAdditionalProperties()).isEmpty());
            assertThat(again.getSpec()).isEqualTo(sample.getSpec());
        });
    }

    @Test
    void an_operator_that_registers_itself_uses_the_names_of_the_tree() {
        WebhookConfigurations own = new WebhookConfigurations(
                Bundled.NAME + "-",
                "busbar-system",
                DeclaredParts.of(new SidecarSetBundle()).webhooks());

        assertThat(own.byUrl("https://127.0.0.1:1", "Q0E="))
                .extracting(object -> object.getMetadata().getName())
                .containsExactlyInAnyOrder(own.mutatingName(), own.validatingName());
        assertThat(TREE.files().get("config/self-signed/certificates_role.yaml"))
                .contains(own.mutatingName())
                .contains(own.validatingName());
    }

    @Test
    void the_version_is_that_of_the_build() throws IOException {
        Matcher build = Pattern.compile("<artifactId>busbar</artifactId>\\s*<version>([^<-]+)")
                .matcher(Files.readString(Path.of("..", "pom.xml")));

        assertThat(build.find()).isTrue();
        assertThat(TREE.files().get("chart/Chart.yaml")).contains("\nappVersion: " + build.group(1) + "\n");
    }

    @Test
    void the_definitions_are_those_of_the_bundled_kinds() {
        assertThat(Bundled.operator().crds())
                .extracting(crd -> crd.getMetadata().getName())
                .contains("sidecarsets.apps.kruise.io")
                .doesNotHaveDuplicates();
    }
}
