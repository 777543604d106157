package io.busbar.manifests.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class CrdGeneratorTest {

    private final CustomResourceDefinition widgets = CrdGenerator.generate(Widget.class);

    @Test
    void names_the_kind_as_its_annotations_do() {
        assertThat(widgets.getMetadata().getName()).isEqualTo("widgets.manifests.example.com");
        assertThat(widgets.getSpec().getScope()).isEqualTo("Namespaced");
        assertThat(widgets.getSpec().getNames().getShortNames()).containsExactly("wg");
        assertThat(widgets.getSpec().getNames().getCategories()).containsExactly("all");
    }

    @Test
    void gives_the_subresources_that_the_types_ask_for() {
        assertThat(version().getSubresources().getStatus()).isNotNull();
        assertThat(version().getSubresources().getScale().getSpecReplicasPath()).isEqualTo(".spec.size");
        assertThat(version().getSubresources().getScale().getStatusReplicasPath())
                .isEqualTo(".status.ready");
    }

    @Test
    void shows_the_columns_of_the_class_in_their_order_and_those_of_fields_after_them() {
        assertThat(version().getAdditionalPrinterColumns())
                .extracting(CustomResourceColumnDefinition::getName, CustomResourceColumnDefinition::getType)
                .containsExactly(tuple("Size", "integer"), tuple("Age", "date"), tuple("Phase", "string"));
        assertThat(version().getAdditionalPrinterColumns())
                .extracting(CustomResourceColumnDefinition::getPriority)
                .containsExactly(null, null, 1);
    }

    @Test
    void says_how_wide_numbers_are() {
        assertThat(spec("size").getFormat()).isEqualTo("int32");
        assertThat(spec("serial").getFormat()).isEqualTo("int64");
        assertThat(spec("ratio").getFormat()).isEqualTo("double");
        assertThat(items("containers").getProperties().get("ports").getItems().getSchema())
                .satisfies(
                        port -> assertThat(port.getProperties().get("hostPort").getFormat())
                                .isEqualTo("int32"));
        assertThat(status("conditions").getItems().getSchema().getProperties().get("observedGeneration"))
                .extracting(JSONSchemaProps::getFormat)
                .isEqualTo("int64");
    }

    @Test
    void keeps_defaults_and_required_fields() {
        assertThat(spec("size").getDefault()).isEqualTo(IntNode.valueOf(3));
        assertThat(schema().getProperties().get("spec").getRequired()).containsExactly("size");
    }

    @Test
    void takes_int_or_string_and_quantities_in_both_forms() {
        assertThat(spec("partition").getXKubernetesIntOrString()).isTrue();
        assertThat(spec("memory").getXKubernetesIntOrString()).isTrue();
        assertThat(List.of("1", "+2.5Gi", "100m", ".5", "1e3", "12E-2"))
                .allMatch(text -> text.matches(spec("memory").getPattern()));
        assertThat(List.of("", "1 Gi", "1gi", "five"))
                .noneMatch(text -> text.matches(spec("memory").getPattern()));
    }

    @Test
    void takes_scalars_as_the_client_writes_them() {
        assertThat(spec("patience").getType()).isEqualTo("string");
        assertThat(spec("patience").getFormat()).isNull();
        assertThat(spec("since").getFormat()).isEqualTo("date-time");
        assertThat(items("sidecars").getProperties().get("seal").getType()).isEqualTo("string");
        assertThat(items("sidecars").getProperties().get("seal").getFormat()).isEqualTo("byte");
        assertThat(spec("mode").getEnum()).containsExactly(TextNode.valueOf("Fast"), TextNode.valueOf("Slow"));
    }

    @Test
    void lets_free_fields_hold_anything() {
        assertThat(spec("free").getType()).isEqualTo("object");
        assertThat(spec("free").getAdditionalProperties()).isNull();
        assertThat(spec("free").getXKubernetesPreserveUnknownFields()).isTrue();
        assertThat(spec("anything").getType()).isNull();
        assertThat(spec("anything").getXKubernetesPreserveUnknownFields()).isTrue();
        assertThat(spec("raw").getXKubernetesPreserveUnknownFields()).isTrue();
    }

    @Test
    void looks_into_maps() {
        JSONSchemaProps part = spec("byName").getAdditionalProperties().getSchema();
        assertThat(part.getProperties().get("weight").getFormat()).isEqualTo("int32");
    }

    @Test
    void merges_lists_as_annotations_say() {
        assertThat(spec("parts").getXKubernetesListType()).isEqualTo("map");
        assertThat(spec("parts").getXKubernetesListMapKeys()).containsExactly("slot", "side");
        assertThat(items("parts").getRequired()).containsExactly("slot");
        assertThat(spec("colours").getXKubernetesListType()).isEqualTo("set");
        assertThat(spec("secrets").getXKubernetesListType()).isEqualTo("atomic");
        assertThat(spec("whole").getXKubernetesMapType()).isEqualTo("atomic");
    }

    @Test
    void merges_lists_of_core_types_as_kubernetes_does() {
        assertThat(spec("containers").getXKubernetesListMapKeys()).containsExactly("name");
        assertThat(spec("references").getXKubernetesListMapKeys()).containsExactly("name");
        assertThat(status("conditions").getXKubernetesListMapKeys()).containsExactly("type");
        JSONSchemaProps container = items("containers");
        assertThat(container.getRequired()).containsExactly("name");
        assertThat(container.getProperties().get("env").getXKubernetesListMapKeys())
                .containsExactly("name");
        assertThat(container.getProperties().get("volumeMounts").getXKubernetesListMapKeys())
                .containsExactly("mountPath");
        assertThat(container.getProperties().get("args").getXKubernetesListType())
                .isNull();
        assertThat(spec("selector").getXKubernetesMapType()).isEqualTo("atomic");
    }

    @Test
    void defaults_a_key_that_may_be_left_out() {
        JSONSchemaProps ports = items("containers").getProperties().get("ports");
        assertThat(ports.getXKubernetesListMapKeys()).containsExactly("containerPort", "protocol");
        JSONSchemaProps port = ports.getItems().getSchema();
        assertThat(port.getRequired()).containsExactly("containerPort");
        assertThat(port.getProperties().get("protocol").getDefault()).isEqualTo(TextNode.valueOf("TCP"));
    }

    @Test
    void merges_java_sets_of_scalars_and_leaves_plain_lists_alone() {
        assertThat(spec("tags").getXKubernetesListType()).isEqualTo("set");
        assertThat(spec("words").getXKubernetesListType()).isNull();
    }

    @Test
    void keeps_unknown_fields_where_the_type_does_and_nowhere_else() {
        assertThat(items("sidecars").getXKubernetesPreserveUnknownFields()).isTrue();
        assertThat(items("sidecars").getProperties().get("order").getFormat()).isEqualTo("int32");
        assertThat(items("sidecars").getProperties().get("resources").getXKubernetesPreserveUnknownFields())
                .isTrue();
        assertThat(items("sidecars").getProperties().get("spare").getXKubernetesPreserveUnknownFields())
                .isNull();
        assertThat(status("extras").getXKubernetesPreserveUnknownFields()).isTrue();
        assertThat(items("containers").getXKubernetesPreserveUnknownFields()).isNull();
        assertThat(items("parts").getXKubernetesPreserveUnknownFields()).isNull();
    }

    @Test
    void takes_null_in_open_core_types_as_kubernetes_does_but_not_for_keys() {
        JSONSchemaProps open = items("sidecars");
        assertThat(open.getProperties().get("command").getNullable()).isTrue();
        assertThat(open.getProperties().get("command").getItems().getSchema().getNullable())
                .isTrue();
        assertThat(open.getProperties().get("resources").getProperties().get("limits"))
                .extracting(JSONSchemaProps::getNullable)
                .isEqualTo(true);
        assertThat(open.getProperties().get("name").getNullable()).isNull();
        assertThat(open.getProperties().get("order").getNullable()).isNull();
        assertThat(items("containers").getProperties().get("command").getNullable())
                .isNull();
    }

    @Test
    void describes_of_a_schemaless_list_only_what_keys_it() {
        assertThat(spec("volumes").getXKubernetesListMapKeys()).containsExactly("name");
        assertThat(items("volumes").getProperties()).containsOnlyKeys("name");
        assertThat(items("volumes").getXKubernetesPreserveUnknownFields()).isTrue();
        assertThat(spec("opaque").getProperties()).isNullOrEmpty();
        assertThat(spec("opaque").getXKubernetesPreserveUnknownFields()).isTrue();
    }

    @Test
    void refuses_an_optional_which_the_client_cannot_write() {
        assertThatThrownBy(() -> CrdGenerator.generate(Widget.WithOptional.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("WithOptional.spec.maybe is Optional");
    }

    @Test
    void refuses_a_key_that_the_items_do_not_have() {
        assertThatThrownBy(() -> CrdGenerator.generate(Widget.WithWrongKey.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("WithWrongKey.spec.parts is to be keyed by nickname");
    }

    @Test
    void puts_the_versions_of_a_kind_into_one_definition_each_with_its_own_schema() {
        List<CustomResourceDefinition> definitions =
                CrdGenerator.generate(List.of(Versions.First.class, Versions.Second.class));
        assertThat(definitions).hasSize(1);
        assertThat(definitions.get(0).getSpec().getVersions())
                .extracting(
                        CustomResourceDefinitionVersion::getName,
                        CustomResourceDefinitionVersion::getStorage,
                        version -> version.getSchema()
                                .getOpenAPIV3Schema()
                                .getProperties()
                                .get("spec")
                                .getProperties()
                                .values()
                                .iterator()
                                .next()
                                .getFormat())
                .containsExactlyInAnyOrder(tuple("v2", true, "int64"), tuple("v1", false, "int32"));
    }

    private CustomResourceDefinitionVersion version() {
        return widgets.getSpec().getVersions().get(0);
    }

    private JSONSchemaProps schema() {
        return version().getSchema().getOpenAPIV3Schema();
    }

    private JSONSchemaProps spec(String field) {
        return schema().getProperties().get("spec").getProperties().get(field);
    }

    private JSONSchemaProps status(String field) {
        return schema().getProperties().get("status").getProperties().get(field);
    }

    private JSONSchemaProps items(String list) {
        return spec(list).getItems().getSchema();
    }

    private static Tuple tuple(Object... values) {
        return Tuple.tuple(values);
    }

    /** One kind, two versions. */
    private static final class Versions {

        record OldSpec(int count) {}

        record NewSpec(long total) {}

        @Group("manifests.example.com")
        @Kind("Counter")
        @Version(value = "v1", storage = false)
        static final class First extends CustomResource<OldSpec, Void> {
            private static final long serialVersionUID = 1L;
        }

        @Group("manifests.example.com")
        @Kind("Counter")
        @Version("v2")
        static final class Second extends CustomResource<NewSpec, Void> {
            private static final long serialVersionUID = 1L;
        }
    }
}
