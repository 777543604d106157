package io.busbar.admission.conversion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;

class VersionsTest {

    private static final String OWNER = "conversion.busbar.io/v2";

    private static final String HUB = """
            {"apiVersion":"example.com/v2","kind":"Widget",
             "metadata":{"name":"w","uid":"u-1","generation":3,"labels":{"a":"b"},"managedFields":[{"manager":"m"}]},
             "spec":{"width":3,"height":4,"owner":"me"}}
            """;

    @Test
    void an_object_is_what_its_converter_says_with_the_metadata_that_it_had() throws Exception {
        ObjectNode converted = convert(json(HUB), "example.com/v1");

        assertThat(converted.path("spec")).isEqualTo(json("{\"size\":\"3x4\"}"));
        assertThat(converted.path("apiVersion").asText()).isEqualTo("example.com/v1");
        converted.withObject("/metadata").remove("annotations");
        assertThat(converted.path("metadata")).isEqualTo(json(HUB).path("metadata"));
    }

    @Test
    void what_a_version_cannot_hold_comes_back_from_an_annotation() throws Exception {
        ObjectNode converted = convert(json(HUB), "example.com/v1");

        assertThat(annotation(converted, OWNER)).isEqualTo("[{\"path\":\"/spec/owner\",\"kept\":\"me\"}]");
        assertThat(convert(converted, "example.com/v2")).isEqualTo(json(HUB));
    }

    @Test
    void what_somebody_changes_meanwhile_counts() throws Exception {
        ObjectNode converted = convert(json(HUB), "example.com/v1");
        converted.withObject("/spec").put("size", "5x5");

        ObjectNode back = convert(converted, "example.com/v2");

        assertThat(back.path("spec")).isEqualTo(json("{\"width\":5,\"height\":5,\"owner\":\"me\"}"));
    }

    @Test
    void nothing_is_put_back_in_a_place_that_has_been_changed() throws Exception {
        ObjectNode hub = json(HUB);
        hub.withObject("/metadata")
                .withObject("/annotations")
                .put("conversion.busbar.io/v1", "[{\"path\":\"/spec/size\",\"kept\":\"03x4\",\"instead\":\"9x9\"}]");

        assertThat(Widgets.VERSIONS
                        .convert(hub, "example.com/v1")
                        .at("/spec/size")
                        .asText())
                .isEqualTo("3x4");
    }

    @Test
    void a_spoke_keeps_its_own_in_the_hub_and_comes_back_by_way_of_another_spoke() throws Exception {
        ObjectNode spoke = json("""
                {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},
                 "spec":{"size":"03x4","parts":["a","b"],"motto":"ever"}}
                """);

        ObjectNode other = convert(spoke, "example.com/v3");

        assertThat(other.path("spec")).isEqualTo(json("{\"width\":3,\"height\":4}"));
        assertThat(convert(other, "example.com/v1")).isEqualTo(spoke);
    }

    @Test
    void an_annotation_that_is_not_its_own_work_changes_nothing() throws Exception {
        for (String text : new String[] {
            "nonsense",
            "{}",
            "[null]",
            "[{\"path\":\"/metadata/uid\",\"kept\":\"other\",\"instead\":\"u-1\"}]",
            "[{\"path\":\"/kind\",\"kept\":\"Other\",\"instead\":\"Widget\"}]",
            "[{\"path\":\"no pointer\",\"kept\":1}]",
            "[{\"path\":\"/spec/parts\",\"kept\":\"no list\"}]",
            "[{\"path\":\"/spec/width/x\",\"kept\":1}]"
        }) {
            ObjectNode v1 = convert(json(HUB), "example.com/v1");
            v1.withObject("/metadata").withObject("/annotations").put(OWNER, text);

            ObjectNode back = convert(v1, "example.com/v2");

            assertThat(back).as(text).isEqualTo(json(HUB.replace(",\"owner\":\"me\"", "")));
        }
    }

    @Test
    void an_object_that_cannot_be_converted_is_named_with_the_reason() {
        assertThatThrownBy(() -> convert(json("""
                        {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":"big"}}
                        """), "example.com/v2"))
                .isInstanceOf(UnconvertibleException.class)
                .hasMessage("Widget \"w\" cannot be converted from example.com/v1 to example.com/v2: "
                        + "spec.size is 'big', allowed: WIDTHxHEIGHT");
        assertThatThrownBy(() -> convert(json(HUB), "example.com/v9"))
                .hasMessageContaining("'example.com/v9' is none of its versions: v2, v1, v3 of example.com");
        assertThatThrownBy(() -> convert(json(HUB.replace("3,\"h", "\"wide\",\"h")), "example.com/v1"))
                .hasMessageEndingWith("spec.width: Invalid value: \"wide\": must be of type integer");
        assertThatThrownBy(() -> convert(json(HUB.replaceFirst("\"spec\":.*}}", "\"spec\":\"x\"}")), "example.com/v1"))
                .hasMessageEndingWith("spec: Invalid value: \"x\": must be of type object");
    }

    @Test
    void a_version_of_another_kind_or_a_second_of_the_same_name_is_refused() {
        assertThatThrownBy(() -> Versions.hub(Pod.class).spoke(Widgets.V1.class, null))
                .hasMessage("widgets.example.com is not a version of pods");
        assertThatThrownBy(() -> Widgets.VERSIONS.spoke(Widgets.V1.class, null))
                .hasMessage("widgets.example.com has two versions v1");
    }

    /** As it goes over the wire. */
    private static ObjectNode convert(ObjectNode object, String apiVersion) throws Exception {
        return json(Widgets.VERSIONS.convert(object, apiVersion).toString());
    }

    private static String annotation(ObjectNode object, String name) {
        return object.path("metadata").path("annotations").path(name).asText();
    }

    private static ObjectNode json(String text) throws JsonProcessingException {
        return (ObjectNode) new ObjectMapper().readTree(text);
    }
}
