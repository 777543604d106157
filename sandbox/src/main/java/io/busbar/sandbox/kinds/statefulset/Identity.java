package io.busbar.sandbox.kinds.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Templates;
import io.busbar.sandbox.storage.Metadata;
import java.util.ArrayList;
import java.util.List;

/** The name, labels and volumes that belong to an ordinal of a StatefulSet. Immutable. */
record Identity(ObjectNode set, int ordinal) {

    static final String REVISION = "controller-revision-hash";

    private static final int NONE = -1;

    /** Of a Pod by its name; -1 for one that the set would not have named so. */
    static int ordinal(ObjectNode set, ObjectNode pod) {
        String prefix = Metadata.of(set).name() + "-";
        String name = Metadata.of(pod).name();
        String number = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
        return number.matches("0|[1-9][0-9]{0,8}") ? Integer.parseInt(number) : NONE;
    }

    static String revision(ObjectNode pod) {
        return Pods.label(pod, REVISION);
    }

    String podName() {
        return Metadata.of(set).name() + "-" + ordinal;
    }

    /** @param revision the name of the one whose template the set has here */
    ObjectNode pod(String revision) {
        ObjectNode pod = Templates.pod(set, Kind.STATEFUL_SET);
        Metadata.of(pod).node().put("name", podName());
        pod.withObject("/metadata")
                .withObject("/labels")
                .put("statefulset.kubernetes.io/pod-name", podName())
                .put("apps.kubernetes.io/pod-index", Integer.toString(ordinal))
                .put(REVISION, revision);
        ObjectNode spec = pod.withObject("/spec");
        spec.put("hostname", podName());
        spec.put("subdomain", set.path("spec").path("serviceName").asText());
        ArrayNode volumes = pod.arrayNode();
        for (JsonNode template : templates()) {
            ObjectNode volume = volumes.addObject();
            volume.set("name", template.path("metadata").path("name"));
            volume.putObject("persistentVolumeClaim").put("claimName", claimName(template));
        }
        for (JsonNode volume : spec.path("volumes")) {
            if (volumes.findValues("name").stream().noneMatch(volume.path("name")::equals)) {
                volumes.add(volume);
            }
        }
        if (!volumes.isEmpty()) {
            spec.set("volumes", volumes);
        }
        return pod;
    }

    List<ObjectNode> claims() {
        List<ObjectNode> claims = new ArrayList<>();
        for (JsonNode template : templates()) {
            ObjectNode claim = template.deepCopy();
            claim.put("kind", Kind.CLAIM.name()).put("apiVersion", Kind.CLAIM.apiVersion());
            claim.remove("status");
            ObjectNode metadata = Metadata.of(claim).node();
            metadata.put("name", claimName(template))
                    .put("namespace", Metadata.of(set).namespace());
            if (set.path("spec").path("selector").path("matchLabels") instanceof ObjectNode labels) {
                metadata.withObject("/labels").setAll(labels.deepCopy());
            }
            claims.add(claim);
        }
        return claims;
    }

    private JsonNode templates() {
        return set.path("spec").path("volumeClaimTemplates");
    }

    private String claimName(JsonNode template) {
        return template.path("metadata").path("name").asText() + "-" + podName();
    }
}
