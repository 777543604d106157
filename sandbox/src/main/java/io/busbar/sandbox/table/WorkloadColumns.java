package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Columns of what makes Pods. Any thread. */
final class WorkloadColumns {

    private static final Column CONTAINERS =
            Column.text("Containers", object -> containers(object, "name")).wide();
    private static final Column IMAGES =
            Column.text("Images", object -> containers(object, "image")).wide();
    private static final Column SELECTOR =
            Column.text("Selector", WorkloadColumns::selector).wide();

    /** By plural and group. */
    static final Map<String, List<Column>> ALL = Map.of(
            "deployments.apps",
            List.of(
                    Column.NAME,
                    Column.text("Ready", WorkloadColumns::ready),
                    Column.number("Up-to-date", number("updatedReplicas")).as("string"),
                    Column.number("Available", number("availableReplicas")).as("string"),
                    Column.AGE,
                    CONTAINERS,
                    IMAGES,
                    SELECTOR),
            "replicasets.apps",
            replicated(),
            "replicationcontrollers",
            replicated(),
            "statefulsets.apps",
            List.of(Column.NAME, Column.text("Ready", WorkloadColumns::ready), Column.AGE, CONTAINERS, IMAGES),
            "daemonsets.apps",
            List.of(
                    Column.NAME,
                    Column.number("Desired", number("desiredNumberScheduled")),
                    Column.number("Current", number("currentNumberScheduled")),
                    Column.number("Ready", number("numberReady")),
                    Column.number("Up-to-date", number("updatedNumberScheduled")),
                    Column.number("Available", number("numberAvailable")),
                    Column.text(
                            "Node Selector",
                            object -> labels(object.path("spec")
                                    .path("template")
                                    .path("spec")
                                    .path("nodeSelector"))),
                    Column.AGE,
                    CONTAINERS,
                    IMAGES,
                    SELECTOR),
            "jobs.batch",
            List.of(
                    Column.NAME,
                    Column.text(
                            "Completions",
                            job -> job.path("status").path("succeeded").asLong() + "/"
                                    + job.path("spec").path("completions").asLong(1)),
                    Column.AGE,
                    CONTAINERS,
                    IMAGES,
                    SELECTOR),
            "cronjobs.batch",
            List.of(
                    Column.NAME,
                    Column.text(
                            "Schedule", job -> job.path("spec").path("schedule").asText()),
                    Column.flag(
                            "Suspend", job -> job.path("spec").path("suspend").asBoolean()),
                    Column.number("Active", job ->
                            (long) job.path("status").path("active").size()),
                    Column.age("Last Schedule", job -> job.path("status").path("lastScheduleTime")),
                    Column.AGE));

    private WorkloadColumns() {}

    private static List<Column> replicated() {
        return List.of(
                Column.NAME,
                Column.number(
                        "Desired",
                        object -> object.path("spec").path("replicas").asLong(1)),
                Column.number("Current", number("replicas")),
                Column.number("Ready", number("readyReplicas")),
                Column.AGE,
                CONTAINERS,
                IMAGES,
                SELECTOR);
    }

    private static String ready(ObjectNode object) {
        return object.path("status").path("readyReplicas").asLong() + "/"
                + object.path("spec").path("replicas").asLong(1);
    }

    private static Function<ObjectNode, Long> number(String field) {
        return object -> object.path("status").path(field).asLong();
    }

    private static String containers(ObjectNode object, String field) {
        List<String> values = new ArrayList<>();
        object.path("spec")
                .path("template")
                .path("spec")
                .path("containers")
                .forEach(container -> values.add(container.path(field).asText()));
        return String.join(",", values);
    }

    private static String selector(ObjectNode object) {
        JsonNode selector = object.path("spec").path("selector");
        return labels(selector.has("matchLabels") ? selector.path("matchLabels") : selector);
    }

    static String labels(JsonNode labels) {
        String text = labels.properties().stream()
                .filter(label -> label.getValue().isTextual())
                .map(label -> label.getKey() + "=" + label.getValue().asText())
                .collect(Collectors.joining(","));
        return text.isEmpty() ? "<none>" : text;
    }
}
