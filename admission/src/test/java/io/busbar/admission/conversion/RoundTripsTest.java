package io.busbar.admission.conversion;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.admission.conversion.Widgets.Part;
import io.busbar.admission.conversion.Widgets.SpecV2;
import io.busbar.admission.conversion.Widgets.SpecV3;
import io.busbar.admission.conversion.Widgets.V1;
import io.busbar.admission.conversion.Widgets.V2;
import io.busbar.admission.conversion.Widgets.V3;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundTripsTest {

    @Test
    void nothing_is_lost_either_way() {
        RoundTrips.of(Widgets.VERSIONS)
                .keeping("/spec/owner", "/spec/motto")
                .check(V1.class, V2.class, Widgets::randomV1)
                .check(V2.class, V1.class, Widgets::randomV2);
    }

    @Test
    void a_field_that_a_converter_forgets_is_named_unless_it_is_declared() {
        RoundTrips trips = RoundTrips.of(Widgets.VERSIONS).keeping("/spec/own");

        assertThatThrownBy(() -> trips.check(V2.class, V3.class, Widgets::randomV2))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("of seed 1, v2 to v3 and back: ")
                .hasMessageContaining("not held by example.com/v3, and not declared: /spec/parts");
    }

    @Test
    void a_field_that_changes_on_the_way_is_named_to_the_element() {
        Converter<V3, V2> restless = new Converter<>() {
            private int made;

            @Override
            public V2 toHub(V3 spoke) {
                V2 hub = new V2();
                hub.setSpec(new SpecV2());
                hub.getSpec().parts = List.of(Part.of("p" + made++));
                return hub;
            }

            @Override
            public V3 fromHub(V2 hub) {
                V3 spoke = new V3();
                spoke.setSpec(new SpecV3());
                return spoke;
            }
        };
        RoundTrips trips =
                RoundTrips.of(Versions.hub(V2.class).spoke(V3.class, restless)).keeping("/spec", "/metadata");

        assertThatThrownBy(() -> trips.check(V2.class, V3.class, Widgets::randomV2))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("and has become");
    }
}
