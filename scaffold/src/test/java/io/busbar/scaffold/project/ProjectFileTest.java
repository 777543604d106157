package io.busbar.scaffold.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.scaffold.project.ProjectResource.Api;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProjectFileTest {

    private static final String WHOLE = """
            # What this project is made of. The commands of the scaffold write it, in the format of kubebuilder's
            # file of this name; comments in it are lost.
            cliVersion: 0.1.0
            domain: example.com
            layout:
            - java.busbar.io/v1
            multigroup: true
            plugins:
              grafana.kubebuilder.io/v1-alpha: {}
              java.busbar.io/v1:
                chart: true
            projectName: shop
            repo: com.example.shop
            resources:
            - api:
                crdVersion: v1
                namespaced: true
              controller: true
              domain: example.com
              group: shop
              kind: Crate
              path: com.example.shop.crate.v1
              version: v1
              webhooks:
                conversion: true
                defaulting: true
                spoke:
                - v2
                validation: true
                webhookVersion: v1
            - api:
                crdVersion: v1
                namespaced: true
              domain: example.com
              group: shop
              kind: Crate
              path: com.example.shop.crate.v2
              version: v2
            - api:
                crdVersion: v1
              controller: true
              domain: example.com
              kind: Admiral
              path: com.example.shop.admiral.v1
              plural: admirales
              version: v1
            version: "3"
            """;

    @Test
    void reads_all_fields() {
        Project project = ProjectFile.read(WHOLE);

        assertThat(project.name()).isEqualTo("shop");
        assertThat(project.repo()).isEqualTo("com.example.shop");
        assertThat(project.multigroup()).isTrue();
        assertThat(project.chart()).isTrue();
        assertThat(project.bundle()).isFalse();
        assertThat(project.resources())
                .extracting(ProjectResource::toString)
                .containsExactly("Crate shop.example.com/v1", "Crate shop.example.com/v2", "Admiral example.com/v1");
        assertThat(project.resources().get(0).webhooks()).isEqualTo(new Webhooks(true, true, true, List.of("v2")));
        assertThat(project.resources().get(1).controller()).isFalse();
        assertThat(project.resources().get(2).api()).isEqualTo(Api.CLUSTER_SCOPED);
        assertThat(project.resources().get(2).fullName()).isEqualTo("admirales.example.com");
    }

    @Test
    void writes_what_it_has_read_to_the_byte_and_keeps_what_other_tools_have_there() {
        assertThat(ProjectFile.write(ProjectFile.read(WHOLE))).isEqualTo(WHOLE);
    }

    @Test
    void takes_a_layout_that_is_text_as_kubebuilders_first_ones_are() {
        String text = WHOLE.replace("layout:\n- java.busbar.io/v1", "layout: java.busbar.io/v1");

        assertThat(ProjectFile.write(ProjectFile.read(text))).isEqualTo(WHOLE);
    }

    @Test
    void says_all_that_is_wrong_at_once() {
        String text = WHOLE.replace("domain: example.com\nlayout", "domain: Example.com\nlayout")
                .replace("java.busbar.io/v1\nmultigroup", "go.kubebuilder.io/v4\nmultigroup")
                .replace("kind: Admiral", "kind: admiral")
                .replace("version: \"3\"", "version: \"2\"\nowner: me");

        assertThatThrownBy(() -> ProjectFile.read(text))
                .isInstanceOf(InvalidConfigurationException.class)
                .message()
                .satisfies(message -> assertThat(message.lines())
                        .anyMatch(line -> line.startsWith("PROJECT: owner: '\"me\"' is not allowed"))
                        .anyMatch(line -> line.equals("PROJECT: version: '2' is not allowed; allowed: 3"))
                        .anyMatch(line -> line.equals(
                                "PROJECT: layout: 'go.kubebuilder.io/v4' is not allowed; allowed: java.busbar.io/v1"))
                        .anyMatch(line -> line.startsWith("PROJECT: domain: 'Example.com' is not allowed"))
                        .anyMatch(line -> line.startsWith("PROJECT: resources[2].kind: 'admiral' is not allowed"))
                        .hasSize(5));
    }

    @Test
    void refuses_what_is_no_yaml_or_has_a_key_twice() {
        for (String text : List.of(
                "",
                "# nothing\n",
                "- a list\n",
                "domain: [\n",
                WHOLE + "<<<<<<< HEAD\n",
                WHOLE + "domain: example.org\n",
                WHOLE + "---\ndomain: example.org\n")) {
            assertThatThrownBy(() -> ProjectFile.read(text))
                    .as(text)
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageStartingWith("PROJECT: ")
                    .hasMessageContaining("YAML with each key once");
        }
    }

    @Test
    void refuses_kinds_that_do_not_go_together() {
        String twice = WHOLE.replace("version: v2\n- api", "version: v1\n- api");
        assertThatThrownBy(() -> ProjectFile.read(twice))
                .hasMessageContaining("PROJECT: resources[1].kind: 'Crate shop.example.com/v1' is not allowed;"
                        + " allowed: each version of a kind once");
        assertThatThrownBy(() -> ProjectFile.read(WHOLE.replace("multigroup: true\n", "")))
                .hasMessageContaining("groups example.com, shop.example.com");
        assertThatThrownBy(() -> ProjectFile.read(WHOLE.replace("    - v2\n", "    - v3\n")))
                .hasMessageContaining("webhooks.spoke: 'v3' is not allowed; allowed: v2");
        assertThatThrownBy(() -> ProjectFile.read(WHOLE.replace("plural: admirales\n", "plural: Admirales\n")))
                .hasMessageContaining("resources[2].plural: 'Admirales'");
    }
}
