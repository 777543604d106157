package io.busbar.operator.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.watch.WatchRequest;
import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.operator.bundled.DeclaredParts;
import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.BundleContext;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemcachedBundleTest {

    @Test
    void the_image_is_that_of_the_environment_or_else_the_standard_one() {
        assertThat(image(Map.of("MEMCACHED_IMAGE", "example/memcached:2"))).isEqualTo("example/memcached:2");
        assertThat(image(Map.of("MEMCACHED_IMAGE", ""))).isEqualTo("memcached:1.4.36-alpine");
        assertThat(image(Map.of())).isEqualTo("memcached:1.4.36-alpine");
    }

    private static String image(Map<String, String> environment) {
        Controller<?> controller = new MemcachedBundle(environment)
                .controllers(BundleContext.declaring("busbar-system"))
                .get(0);
        return ((MemcachedReconciler) controller.reconciler()).image();
    }

    @Test
    void watches_memcacheds_and_deployments() {
        assertThat(new MemcachedBundle(Map.of()).controllers(BundleContext.declaring("busbar-system")))
                .singleElement()
                .satisfies(controller -> assertThat(controller.watchRequests())
                        .extracting(WatchRequest::spec)
                        .extracting(spec -> spec.resource().plural())
                        .containsExactly("memcacheds", "deployments"));
    }

    @Test
    void the_schema_bounds_and_defaults_the_spec_and_keys_conditions_by_type() {
        JSONSchemaProps schema = CrdGenerator.generate(Memcached.class)
                .getSpec()
                .getVersions()
                .get(0)
                .getSchema()
                .getOpenAPIV3Schema();

        Map<String, JSONSchemaProps> spec = schema.getProperties().get("spec").getProperties();
        assertThat(spec.get("size")).satisfies(size -> {
            assertThat(size.getMinimum()).isEqualTo(1);
            assertThat(size.getMaximum()).isEqualTo(3);
            assertThat(size.getDefault().intValue()).isEqualTo(1);
            assertThat(size.getFormat()).isEqualTo("int32");
        });
        assertThat(spec.get("containerPort")).satisfies(port -> {
            assertThat(port.getMinimum()).isEqualTo(1);
            assertThat(port.getMaximum()).isEqualTo(65535);
            assertThat(port.getDefault().intValue()).isEqualTo(11211);
        });
        JSONSchemaProps conditions =
                schema.getProperties().get("status").getProperties().get("conditions");
        assertThat(conditions.getXKubernetesListType()).isEqualTo("map");
        assertThat(conditions.getXKubernetesListMapKeys()).containsExactly("type");
    }

    @Test
    void the_sample_says_nothing_that_the_kind_does_not_know() {
        KubernetesSerialization serialization = new KubernetesSerialization();
        String yaml =
                DeclaredParts.of(new MemcachedBundle(Map.of())).samples().get(0).yaml();

        Memcached sample = serialization.unmarshal("---\n" + yaml, Memcached.class);
        Map<?, ?> written = serialization.unmarshal("---\n" + yaml, Map.class);
        Map<?, ?> kept = serialization.convertValue(sample.getSpec(), Map.class);
        assertThat(kept).isEqualTo(written.get("spec"));
    }
}
