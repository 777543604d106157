package io.busbar.operator.sidecarset.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.operator.sidecarset.StoredObjects;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.history.RevisionLookup;
import io.busbar.operator.sidecarset.pod.ModelJson;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.zjsonpatch.JsonPatch;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/** Injection into Pods of namespace {@code shop}, with the sets of a test. */
final class Injector {

    static final String NOON = "2026-03-01T12:00:00Z";

    final StoredObjects<SidecarSet> sets = new StoredObjects<>();
    final StoredObjects<Namespace> namespaces = StoredObjects.of(namespace("shop", Map.of("team", "harbor")));
    final StoredObjects<ControllerRevision> revisions = new StoredObjects<>();
    final SidecarSetFeed feed = new SidecarSetFeed(sets, RevisionLookup.in(revisions));
    private Clock clock = Clock.fixed(Instant.parse(NOON), ZoneOffset.UTC);

    static Injector with(SidecarSet... sets) {
        Injector injector = new Injector();
        List.of(sets).forEach(injector.sets::put);
        injector.feed.rebuild();
        return injector;
    }

    Injector at(String time) {
        clock = Clock.fixed(Instant.parse(time), ZoneOffset.UTC);
        return this;
    }

    AdmissionDecision review(PodReview review) {
        return new PodInjection(feed, namespaces, Set.of("kube-system", "busbar-system"), clock).review(review);
    }

    /** The Pod as the API server would store it. */
    ObjectNode inject(ObjectNode pod) {
        AdmissionDecision decision = review(PodReview.creating(pod));
        assertThat(decision).isInstanceOf(AdmissionDecision.Patched.class);
        return (ObjectNode) JsonPatch.apply(((AdmissionDecision.Patched) decision).patch(), pod);
    }

    static ObjectNode pod(String yaml) {
        return ModelJson.object(Yaml.read(yaml, Pod.class));
    }

    static Namespace namespace(String name, Map<String, String> labels) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
    }

    static List<String> names(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(item -> item.path("name").asText())
                .toList();
    }

    static String annotation(JsonNode pod, String name) {
        return pod.path("metadata").path("annotations").path(name).asText();
    }

    static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(text, malformed);
        }
    }
}
