package io.busbar.watcher.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataDecoderTest {

    private static final String METADATA = """
            {"annotations":{"a.io/b":"wéb \\"q\\"","empty":""},"creationTimestamp":"2026-01-01T00:00:00Z",
             "deletionGracePeriodSeconds":30,"deletionTimestamp":"2026-01-01T00:00:30Z","finalizers":["x.io/f","g"],
             "generateName":"a-","generation":9007199254740993,"labels":{"l":"m"},"name":"a","namespace":"n",
             "ownerReferences":[{"apiVersion":"apps/v1","blockOwnerDeletion":true,"controller":false,"kind":"ReplicaSet",
               "name":"r","uid":"u-2"},{"apiVersion":"v1","kind":"Namespace","name":"x","uid":"u-3"}],
             "resourceVersion":"7","selfLink":"/a","uid":"u-1"}""";

    private final KubernetesSerialization jackson = new KubernetesSerialization();
    private final MetadataDecoder<Pod> decoder = MetadataDecoder.of(Pod.class).orElseThrow();

    @ParameterizedTest
    @ValueSource(strings = {METADATA, "{}", "{\"name\":\"a\",\"labels\":{},\"finalizers\":[],\"generation\":null}"})
    void reads_metadata_as_the_client_does(String metadata) {
        Pod pod = decode("{\"spec\":{\"nodeName\":\"m\"},\"metadata\":" + metadata + ",\"status\":{}}");

        Pod expected = jackson.unmarshal("{\"metadata\":" + metadata + "}", Pod.class);
        assertThat(pod).isEqualTo(expected);
        assertThat(pod.getKind()).isEqualTo("Pod");
        assertThat(pod.getSpec()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{\"labels\":[]}",
                "{\"labels\":{\"a\":1}}",
                "{\"finalizers\":{}}",
                "{\"ownerReferences\":[1]}",
                "{\"ownerReferences\":[{\"controller\":2}]}",
                "{\"generation\":\"x\"}",
                "{\"name\":{}}"
            })
    void refuses_what_is_no_metadata(String metadata) {
        assertThatThrownBy(() -> decode("{\"metadata\":" + metadata + "}")).isInstanceOf(RuntimeException.class);
    }

    @Test
    void takes_only_classes_whose_empty_objects_know_their_kind() {
        assertThat(MetadataDecoder.of(GenericKubernetesResource.class)).isEmpty();
        assertThat(MetadataDecoder.of(HasMetadata.class)).isEmpty();
    }

    private Pod decode(String json) {
        return decoder.decode(json.getBytes(StandardCharsets.UTF_8));
    }
}
