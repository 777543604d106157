package io.busbar.operator.guestbook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.operator.bundled.DeclaredParts;
import io.busbar.operator.guestbook.v1.Guestbook;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GuestbookBundleTest {

    @Test
    void the_schema_bounds_what_may_be_said_and_asks_for_nothing() {
        JSONSchemaProps spec = CrdGenerator.generate(Guestbook.class)
                .getSpec()
                .getVersions()
                .get(0)
                .getSchema()
                .getOpenAPIV3Schema()
                .getProperties()
                .get("spec");

        assertThat(spec.getRequired()).isEmpty();
        Map<String, JSONSchemaProps> fields = spec.getProperties();
        assertThat(fields.get("size").getMinimum()).isEqualTo(1);
        assertThat(fields.get("size").getMaximum()).isEqualTo(10);
        assertThat(fields.get("size").getDefault().intValue()).isEqualTo(3);
        assertThat(fields.get("followers").getDefault().intValue()).isEqualTo(2);
        assertThat(fields.get("configMapName").getMinLength()).isEqualTo(1);
        assertThat(fields.get("configMapName").getMaxLength()).isEqualTo(15);
        assertThat(fields.get("type").getEnum())
                .extracting(JsonNode::asText)
                .containsExactlyInAnyOrder("Phone", "Address", "Name");
    }

    @Test
    void the_sample_says_nothing_that_the_kind_does_not_know() {
        KubernetesSerialization serialization = new KubernetesSerialization();
        String yaml = DeclaredParts.of(new GuestbookBundle()).samples().get(0).yaml();

        Guestbook sample = serialization.unmarshal("---\n" + yaml, Guestbook.class);
        Map<?, ?> written = serialization.unmarshal("---\n" + yaml, Map.class);
        Map<?, ?> kept = serialization.convertValue(sample.getSpec(), Map.class);
        assertThat(kept).isEqualTo(written.get("spec"));
    }
}
