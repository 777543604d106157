package io.busbar.operator.sidecarset.hash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.defaulting.SidecarSetDefaulter;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import java.io.InputStream;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SidecarSetHashTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest(name = "{0}")
    @MethodSource("vectors")
    void equals_what_openkruise_stored_for(String title, JsonNode vector) throws Exception {
        SidecarSet set = new SidecarSet();
        set.setSpec(JSON.treeToValue(vector.get("spec"), SidecarSetSpec.class));

        SidecarSetHash hash =
                SidecarSetHash.of(new SidecarSetDefaulter().withDefaults(set).getSpec());

        assertThat(hash.whole()).isEqualTo(vector.get("whole").textValue());
        assertThat(hash.withoutImage()).isEqualTo(vector.get("withoutImage").textValue());
    }

    static Stream<Arguments> vectors() throws Exception {
        try (InputStream file = SidecarSetHashTest.class.getResourceAsStream("vectors.json")) {
            return StreamSupport.stream(
                            JSON.readTree(Objects.requireNonNull(file)).spliterator(), false)
                    .map(vector -> Arguments.of(vector.get("title").textValue(), vector));
        }
    }

    @Test
    void writes_structs_that_are_never_omitted_even_without_defaults() {
        assertThat(hash("containers: [{name: container1, image: test-image}]"))
                .isEqualTo(new SidecarSetHash(
                        "w26c4x8fz245642fdv499b464248f974xddx4x55z5dw55bc6x66464fxz77dc78",
                        "8wzddb4dvv9c6x8zdc77z4z75987424f457dfv6724ddw6zbdx467wz5x24fc759"));
    }

    @Test
    void counts_all_init_containers_as_soon_as_one_is_a_native_sidecar() {
        SidecarSetHash none = hash("{containers: [{name: a}], initContainers: [{name: b}, {name: c}]}");
        SidecarSetHash native1 =
                hash("{containers: [{name: a}], initContainers: [{name: b}, {name: c, restartPolicy: Always}]}");
        SidecarSetHash native2 =
                hash("{containers: [{name: a}], initContainers: [{name: d}, {name: c, restartPolicy: Always}]}");

        assertThat(none).isEqualTo(hash("containers: [{name: a}]"));
        assertThat(native1).isNotEqualTo(none).isNotEqualTo(native2);
    }

    @Test
    void leaves_out_fields_that_are_not_known_and_those_that_are_zero() {
        assertThat(hash("containers: [{name: a, newer: 1, stdin: false, ports: [], env: [{name: E, value: ''}]}]"))
                .isEqualTo(hash("containers: [{name: a, env: [{name: E}]}]"));
    }

    @Test
    void tells_a_pointer_to_a_zero_from_none() {
        assertThat(hash("containers: [{name: a, securityContext: {runAsUser: 0}}]"))
                .isNotEqualTo(hash("containers: [{name: a, securityContext: {}}]"));
        assertThat(hash("containers: [{name: a, securityContext: {}}]")).isNotEqualTo(hash("containers: [{name: a}]"));
    }

    private static SidecarSetHash hash(String spec) {
        return SidecarSetHash.of(Yaml.spec(spec));
    }
}
