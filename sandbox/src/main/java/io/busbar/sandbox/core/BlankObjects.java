package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What an object of a built-in kind holds by its Go type alone, so that nobody owns it: structs that are no pointers.
 *
 * <p>Immutable: what it returns is not shared, but for {@link #NONE}.
 */
final class BlankObjects {

    /** Not to be altered. */
    static final ObjectNode NONE = JsonNodeFactory.instance.objectNode();

    private BlankObjects() {}

    static ObjectNode of(String kind) {
        ObjectNode blank = JsonNodeFactory.instance.objectNode();
        blank.putObject("metadata");
        switch (kind) {
            case "Pod" -> blank.putObject("spec").putNull("containers");
            case "Deployment" -> {
                ObjectNode spec = workload(blank);
                spec.putObject("strategy");
            }
            case "DaemonSet", "StatefulSet" -> {
                ObjectNode spec = workload(blank);
                spec.putObject("updateStrategy");
            }
            case "ReplicaSet", "Job" -> workload(blank);
            case "CronJob" -> {
                ObjectNode template = blank.putObject("spec").putObject("jobTemplate");
                template.putObject("metadata");
                workload(template);
            }
            case "CustomResourceDefinition" -> {
                ObjectNode spec = blank.putObject("spec");
                spec.putObject("names");
                spec.putNull("versions");
            }
            case "PersistentVolumeClaim" -> blank.putObject("spec").putObject("resources");
            default -> blank.putObject("spec");
        }
        ObjectNode status = blank.putObject("status");
        if (kind.equals("Service") || kind.equals("Ingress")) {
            status.putObject("loadBalancer");
        }
        return blank;
    }

    private static ObjectNode workload(ObjectNode owner) {
        ObjectNode spec = owner.putObject("spec");
        ObjectNode template = spec.putObject("template");
        template.putObject("metadata");
        template.putObject("spec").putNull("containers");
        return spec;
    }
}
