package io.busbar.operator.sidecarset.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.conversion.RoundTrips;
import io.busbar.manifests.yaml.Yaml;
import io.busbar.operator.sidecarset.hash.RandomContainers;
import io.busbar.operator.sidecarset.v1beta1.InjectionStrategy;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SidecarSetConverterTest {

    private static final String ALPHA = "apps.kruise.io/v1alpha1";
    private static final String BETA = "apps.kruise.io/v1beta1";
    private static final String CUSTOM_VERSION = io.busbar.operator.sidecarset.v1beta1.SidecarSet.CUSTOM_VERSION;

    @Test
    void nothing_of_either_version_is_lost() {
        RoundTrips.of(SidecarSetConverter.VERSIONS)
                .samples(60)
                .keeping("/spec/namespace", "/spec/namespaceSelector", "/metadata/labels")
                .check(
                        SidecarSet.class,
                        io.busbar.operator.sidecarset.v1beta1.SidecarSet.class,
                        SidecarSetConverterTest::alpha)
                .check(
                        io.busbar.operator.sidecarset.v1beta1.SidecarSet.class,
                        SidecarSet.class,
                        SidecarSetConverterTest::beta);
    }

    @Test
    void a_namespace_by_name_is_a_selector_in_v1beta1_and_comes_back_as_a_name() throws Exception {
        ObjectNode alpha = set(ALPHA, "{name: a}", "{namespace: shop, namespaceSelector: {matchLabels: {a: b}}}");

        ObjectNode beta = SidecarSetConverter.VERSIONS.convert(alpha, BETA);

        assertThat(beta.path("spec"))
                .isEqualTo(Yaml.read("namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}"));
        assertThat(SidecarSetConverter.VERSIONS.convert(beta, ALPHA)).isEqualTo(alpha);
    }

    @Test
    void a_selector_that_is_changed_in_v1beta1_counts_and_the_name_is_forgotten() throws Exception {
        ObjectNode beta = SidecarSetConverter.VERSIONS.convert(set(ALPHA, "{name: a}", "{namespace: shop}"), BETA);
        beta.withObject("/spec").set("namespaceSelector", Yaml.read("matchLabels: {a: b}"));

        assertThat(SidecarSetConverter.VERSIONS.convert(beta, ALPHA))
                .isEqualTo(set(ALPHA, "{name: a}", "{namespaceSelector: {matchLabels: {a: b}}}"));
    }

    @Test
    void a_custom_version_is_a_label_in_v1alpha1_and_a_field_in_v1beta1() throws Exception {
        ObjectNode beta = set(BETA, "{name: a, labels: {team: x}}", "{customVersion: v7}");
        ObjectNode alpha = set(ALPHA, "{name: a, labels: {team: x, " + CUSTOM_VERSION + ": v7}}", "{}");
        alpha.remove("spec");

        ObjectNode converted = SidecarSetConverter.VERSIONS.convert(beta, ALPHA);

        assertThat(converted.at("/metadata")).isEqualTo(alpha.at("/metadata"));
        assertThat(SidecarSetConverter.VERSIONS.convert(converted, BETA)).isEqualTo(beta);
    }

    private static ObjectNode set(String apiVersion, String metadata, String spec) {
        return Yaml.readAll("apiVersion: " + apiVersion + "\nkind: SidecarSet\nmetadata: " + metadata + "\nspec: "
                        + spec + "\n")
                .get(0);
    }

    private static SidecarSet alpha(Random random) {
        SidecarSet set = new SidecarSet();
        ObjectMeta metadata = metadata(random);
        if (random.nextBoolean()) {
            metadata.getLabels().put(CUSTOM_VERSION, random.nextBoolean() ? "v" + random.nextInt(9) : "");
        }
        set.setMetadata(metadata);
        set.setStatus(status(random));
        set.setSpec(new SidecarSetSpec(
                selector(random),
                random.nextBoolean() ? "n" + random.nextInt(3) : null,
                selector(random),
                containers(random),
                containers(random),
                List.of(new VolumeBuilder()
                        .withName("v")
                        .withNewEmptyDir()
                        .endEmptyDir()
                        .build()),
                null,
                new InjectionStrategy(random.nextBoolean(), null),
                List.of(new LocalObjectReference("s" + random.nextInt(3))),
                random.nextBoolean() ? random.nextInt(20) : null,
                List.of()));
        return set;
    }

    private static io.busbar.operator.sidecarset.v1beta1.SidecarSet beta(Random random) {
        var set = new io.busbar.operator.sidecarset.v1beta1.SidecarSet();
        set.setMetadata(metadata(random));
        set.setStatus(status(random));
        set.setSpec(new io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec(
                selector(random),
                selector(random),
                containers(random),
                containers(random),
                List.of(new VolumeBuilder()
                        .withName("v")
                        .withNewEmptyDir()
                        .endEmptyDir()
                        .build()),
                null,
                new InjectionStrategy(random.nextBoolean(), null),
                List.of(),
                random.nextBoolean() ? random.nextInt(20) : null,
                List.of(),
                random.nextBoolean() ? "v" + random.nextInt(9) : null));
        return set;
    }

    private static ObjectMeta metadata(Random random) {
        return new ObjectMetaBuilder()
                .withName("set" + random.nextInt(9))
                .addToLabels("team", "t" + random.nextInt(3))
                .addToAnnotations("a~b/c", "{\"x\":" + random.nextInt(3) + "}")
                .build();
    }

    private static @Nullable LabelSelector selector(Random random) {
        String name = random.nextBoolean() ? "kubernetes.io/metadata.name" : "app";
        return random.nextInt(3) == 0
                ? null
                : new LabelSelectorBuilder()
                        .addToMatchLabels(name, "n" + random.nextInt(3))
                        .build();
    }

    private static @Nullable SidecarSetStatus status(Random random) {
        return random.nextBoolean()
                ? null
                : new SidecarSetStatus(random.nextLong(9), 3, 2, random.nextInt(3), 0, "r1", null, List.of());
    }

    private static List<SidecarContainer> containers(Random random) {
        RandomContainers containers = new RandomContainers(random.nextLong());
        return Stream.generate(() -> next(containers)).limit(random.nextInt(3)).toList();
    }

    private static SidecarContainer next(RandomContainers containers) {
        try {
            return containers.next();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
