package @{types};

import io.busbar.admission.conversion.RoundTrips;
import io.busbar.admission.conversion.Versions;
import java.util.Random;
import org.junit.jupiter.api.Test;

class @{Kind}ConverterTest {

    @Test
    void nothing_is_lost_on_the_way_to_the_hub_and_back() {
        RoundTrips.of(Versions.hub(@{hub}.class).spoke(@{Kind}.class, new @{Kind}Converter()))
                // Name here what the hub really cannot hold, lest a field that is forgotten goes unnoticed.
                .keeping("/spec", "/status")
                .check(@{Kind}.class, @{hub}.class, @{Kind}ConverterTest::any);
    }

    private static @{Kind} any(Random random) {
        @{Kind} @{kind} = new @{Kind}();
        @{kind}.getMetadata().setName("a");
        @{kind}.setSpec(new @{Kind}Spec(1 + random.nextInt(10)));
        return @{kind};
    }
}
