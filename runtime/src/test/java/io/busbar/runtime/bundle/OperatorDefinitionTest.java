package io.busbar.runtime.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperatorDefinitionTest {

    /** The file {@code operator.properties} of these tests says so, and there is no jar. */
    @Test
    void has_the_version_of_the_project_though_its_classes_are_in_no_jar() {
        OperatorDefinition operator = OperatorDefinition.of(new KindBundle(Widget.class));

        assertThat(operator.about().version()).isEqualTo("1.2.3");
        assertThat(operator.image()).isEqualTo("widget:latest");
    }
}
