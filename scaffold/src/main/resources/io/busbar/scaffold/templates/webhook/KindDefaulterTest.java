package @{types};

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class @{Kind}DefaulterTest {

    private final @{Kind}Defaulter defaulter = new @{Kind}Defaulter();

    @Test
    void gives_a_spec_to_one_that_has_none() {
        @{Kind} defaulted = defaulter.withDefaults(new @{Kind}(), null);

        assertThat(defaulted.getSpec()).isEqualTo(new @{Kind}Spec(@{Kind}Spec.DEFAULT_SIZE));
    }

    @Test
    void leaves_what_is_said() {
        @{Kind} @{kind} = new @{Kind}();
        @{kind}.setSpec(new @{Kind}Spec(7));

        assertThat(defaulter.withDefaults(@{kind}, null).getSpec()).isEqualTo(new @{Kind}Spec(7));
    }
}
