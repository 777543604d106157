package io.busbar.operator.sidecarset.defaulting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferenceTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent",
                "agent:latest",
                "depot/agent",
                "depot.example:5000/team/agent",
                "localhost:5000/a:latest"
            })
    void pulls_always_what_is_the_latest_or_has_no_tag(String image) {
        assertThat(ImageReference.defaultPullPolicy(image)).isEqualTo("Always");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent:1",
                "depot.example:5000/agent:1.0",
                "agent@sha256:abababababababababababababababababababababababababababababababab",
                "agent:latest2",
                "Not A Reference",
                "agent:",
                ""
            })
    void pulls_anything_else_once(String image) {
        assertThat(ImageReference.defaultPullPolicy(image)).isEqualTo("IfNotPresent");
    }
}
