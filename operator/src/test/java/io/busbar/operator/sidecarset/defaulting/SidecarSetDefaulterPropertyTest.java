package io.busbar.operator.sidecarset.defaulting;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.hash.RandomContainers;
import io.busbar.operator.sidecarset.hash.SidecarSetHash;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SidecarSetDefaulterPropertyTest {

    private final SidecarSetDefaulter defaulter = new SidecarSetDefaulter();

    @Property(tries = 100)
    void changes_nothing_the_second_time(@ForAll long seed) throws Exception {
        SidecarSet once = defaulter.withDefaults(random(seed));

        SidecarSet twice = defaulter.withDefaults(Yaml.copy(once));

        assertThat(Yaml.written(twice)).isEqualTo(Yaml.written(once));
    }

    @Property(tries = 100)
    void gives_hashes_that_survive_being_stored_and_differ_in_the_image_alone(@ForAll long seed) throws Exception {
        SidecarSet stored = defaulter.withDefaults(random(seed));
        SidecarSetHash hash = SidecarSetHash.of(stored.getSpec());

        SidecarSetSpec read = Yaml.copy(stored).getSpec();
        assertThat(SidecarSetHash.of(read)).isEqualTo(hash);

        read.containers().get(0).setImage("another:" + seed);
        assertThat(SidecarSetHash.of(read).withoutImage()).isEqualTo(hash.withoutImage());
        assertThat(SidecarSetHash.of(read).whole()).isNotEqualTo(hash.whole());
    }

    private static SidecarSet random(long seed) throws Exception {
        RandomContainers containers = new RandomContainers(seed);
        SidecarSet set = new SidecarSet();
        set.getMetadata().setName("any");
        set.setSpec(new SidecarSetSpec(
                null,
                null,
                List.of(containers.next(), containers.next()),
                List.of(containers.next()),
                List.of(new VolumeBuilder().withName("v").build()),
                null,
                null,
                List.of(),
                null,
                List.of(),
                null));
        return set;
    }
}
