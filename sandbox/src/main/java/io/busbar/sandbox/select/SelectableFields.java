package io.busbar.sandbox.select;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.syntax.GoText;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fields that a kind can be selected by, and their values.
 *
 * <p>Which fields, and the three ways to refuse another one, are those of kube-apiserver. Immutable.
 */
final class SelectableFields {

    private enum Refusal {
        /** Kinds with selectable fields of their own, and custom resources. */
        UNSUPPORTED,
        /** All other kinds that come with Kubernetes. */
        UNKNOWN,
        JOB,
        CRON_JOB
    }

    private static final String NAME = "metadata.name";
    private static final String NAMESPACE = "metadata.namespace";
    private static final Set<String> BUILT_IN_GROUPS = Set.of(
            "",
            "apps",
            "autoscaling",
            "batch",
            "extensions",
            "policy",
            "admissionregistration.k8s.io",
            "apiextensions.k8s.io",
            "apiregistration.k8s.io",
            "authentication.k8s.io",
            "authorization.k8s.io",
            "coordination.k8s.io",
            "discovery.k8s.io",
            "flowcontrol.apiserver.k8s.io",
            "networking.k8s.io",
            "node.k8s.io",
            "rbac.authorization.k8s.io",
            "scheduling.k8s.io",
            "storage.k8s.io");

    private static final Map<String, Set<String>> OWN_FIELDS = Map.of(
            "Pod",
                    Set.of(
                            NAME,
                            NAMESPACE,
                            "spec.nodeName",
                            "spec.host",
                            "spec.hostNetwork",
                            "spec.restartPolicy",
                            "spec.schedulerName",
                            "spec.serviceAccountName",
                            "status.phase",
                            "status.podIP",
                            "status.podIPs",
                            "status.nominatedNodeName"),
            "Node", Set.of(NAME, "spec.unschedulable"),
            "Namespace", Set.of(NAME, "status.phase"),
            "Secret", Set.of(NAME, NAMESPACE, "type"),
            "ReplicationController", Set.of(NAME, NAMESPACE, "status.replicas"),
            "Job.batch", Set.of(NAME, NAMESPACE, "status.successful"),
            "CronJob.batch", Set.of(NAME, NAMESPACE),
            "CertificateSigningRequest.certificates.k8s.io", Set.of(NAME, "spec.signerName"),
            "Event", withNames("involvedObject", "reason", "reportingComponent", "source", "type"),
            "Event.events.k8s.io", withNames("regarding", "reason", "reportingController", "type"));

    /** What stands in for an absent value that is no text. */
    private static final Map<String, String> ZEROES = Map.of(
            "spec.hostNetwork",
            "false",
            "spec.unschedulable",
            "false",
            "status.replicas",
            "0",
            "status.successful",
            "0");

    private static final Map<String, List<String>> ELSEWHERE = Map.of(
            "spec.host", List.of("spec.nodeName"),
            "status.podIPs", List.of("status.podIP"),
            "status.successful", List.of("status.succeeded"),
            "source", List.of("source.component", "reportingComponent", "reportingController"),
            "reportingComponent", List.of("reportingComponent", "reportingController"),
            "reportingController", List.of("reportingController", "reportingComponent"));

    private final Set<String> fields;
    private final Refusal refusal;

    private SelectableFields(Set<String> fields, Refusal refusal) {
        this.fields = fields;
        this.refusal = refusal;
    }

    /** @param declared fields of a custom resource beside its name and namespace */
    static SelectableFields of(String group, String kind, Set<String> declared) {
        String name = group.isEmpty() ? kind : kind + "." + group;
        Refusal refusal = switch (name) {
            case "Job.batch" -> Refusal.JOB;
            case "CronJob.batch" -> Refusal.CRON_JOB;
            default ->
                OWN_FIELDS.containsKey(name) || !BUILT_IN_GROUPS.contains(group)
                        ? Refusal.UNSUPPORTED
                        : Refusal.UNKNOWN;
        };
        Set<String> fields = new HashSet<>(OWN_FIELDS.getOrDefault(name, Set.of(NAME, NAMESPACE)));
        fields.addAll(declared);
        return new SelectableFields(fields, refusal);
    }

    void check(String field) {
        if (fields.contains(field)) {
            return;
        }
        throw new SelectorException(
                switch (refusal) {
                    case UNSUPPORTED -> "field label not supported: " + field;
                    case UNKNOWN ->
                        GoText.quote(field)
                                + " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
                    case JOB -> "field label " + GoText.quote(field) + " not supported for batchv1.Job";
                    case CRON_JOB -> "field label " + GoText.quote(field) + " not supported for \"CronJob\"";
                });
    }

    /** An Event is stored once for both of its groups, so either spelling of a field finds it. */
    static String value(ObjectNode object, String field) {
        for (String path : paths(field)) {
            JsonNode found = object;
            for (String step : path.split("\\.", -1)) {
                found = found.path(step);
            }
            if (found.isValueNode() && !found.isNull() && !found.asText().isEmpty()) {
                return found.asText();
            }
        }
        return ZEROES.getOrDefault(field, "");
    }

    private static List<String> paths(String field) {
        if (field.startsWith("involvedObject.")) {
            return List.of(field, "regarding." + field.substring("involvedObject.".length()));
        }
        if (field.startsWith("regarding.")) {
            return List.of(field, "involvedObject." + field.substring("regarding.".length()));
        }
        return ELSEWHERE.getOrDefault(field, List.of(field));
    }

    private static Set<String> withNames(String object, String... others) {
        Set<String> fields = new HashSet<>(List.of(others));
        fields.addAll(List.of(NAME, NAMESPACE));
        for (String part : List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")) {
            fields.add(object + "." + part);
        }
        return Set.copyOf(fields);
    }
}
