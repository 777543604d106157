package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fields of a Pod that the downward API offers. Immutable. */
record PodFields(Pod pod, String podIp, String hostIp) {

    private static final Pattern ENTRY = Pattern.compile("metadata\\.(labels|annotations)\\['([^']+)']");

    /** @return empty when it has no such label or annotation */
    String value(String path) {
        ObjectMeta metadata = pod.getMetadata();
        Matcher entry = ENTRY.matcher(path);
        if (entry.matches()) {
            Map<String, String> entries =
                    entry.group(1).equals("labels") ? metadata.getLabels() : metadata.getAnnotations();
            return entries.getOrDefault(entry.group(2), "");
        }
        return switch (path) {
            case "metadata.name" -> metadata.getName();
            case "metadata.namespace" -> metadata.getNamespace();
            case "metadata.uid" -> metadata.getUid();
            case "spec.nodeName" -> pod.getSpec().getNodeName();
            case "spec.serviceAccountName" -> pod.getSpec().getServiceAccountName();
            case "status.hostIP" -> hostIp;
            case "status.podIP", "status.podIPs" -> podIp;
            default -> throw new IllegalArgumentException("no field of the downward API: " + path);
        };
    }
}
