package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.select.SelectorException;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.CronSchedule;
import io.busbar.sandbox.syntax.GoText;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks what makes Pods. Any thread. */
final class WorkloadValidation {

    private static final List<String> ALWAYS = List.of("Always");

    private WorkloadValidation() {}

    static void deployment(Causes causes, JsonNode spec, @Nullable JsonNode before) {
        notNegative(causes, spec, "replicas");
        selector(causes, spec, "deployment");
        template(causes, "spec.template", spec.path("template"), ALWAYS);
        notNegative(causes, spec, "minReadySeconds");
        notNegative(causes, spec, "revisionHistoryLimit");
        JsonNode strategy = spec.path("strategy");
        boolean recreate = strategy.path("type").asText().equals("Recreate");
        if (recreate && strategy.has("rollingUpdate")) {
            causes.forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
        }
        PodValidation.oneOf(causes, "spec.strategy.type", strategy.path("type"), List.of("Recreate", "RollingUpdate"));
        JsonNode rolling = strategy.path("rollingUpdate");
        if (!recreate && isZero(rolling.path("maxUnavailable")) && isZero(rolling.path("maxSurge"))) {
            causes.add(FieldCause.invalid(
                    "spec.strategy.rollingUpdate.maxUnavailable",
                    "intstr.IntOrString{Type:0, IntVal:0, StrVal:\"\"}",
                    "may not be 0 when `maxSurge` is 0"));
        }
        immutableSelector(causes, spec, before);
    }

    static void replicaSet(Causes causes, JsonNode spec, @Nullable JsonNode before) {
        notNegative(causes, spec, "replicas");
        notNegative(causes, spec, "minReadySeconds");
        selector(causes, spec, "deployment");
        template(causes, "spec.template", spec.path("template"), ALWAYS);
        immutableSelector(causes, spec, before);
    }

    /** What the template says of a Pod is not looked at before there is one: a container may mount a claim that each Pod gets. */
    static void statefulSet(Causes causes, JsonNode spec, @Nullable JsonNode before) {
        notNegative(causes, spec, "replicas");
        selector(causes, spec, "statefulset");
        labels(causes, "spec.template", spec.path("template"));
        restartPolicy(causes, "spec.template", spec.path("template"), ALWAYS);
        if (before instanceof ObjectNode old && spec instanceof ObjectNode now) {
            List<String> open = List.of("replicas", "template", "updateStrategy");
            if (!now.deepCopy().remove(open).equals(old.deepCopy().remove(open))) {
                causes.forbidden(
                        "spec",
                        "updates to statefulset spec for fields other than 'replicas', 'template', and 'updateStrategy' are"
                                + " forbidden");
            }
        }
    }

    static void daemonSet(Causes causes, JsonNode spec, @Nullable JsonNode before) {
        selector(causes, spec, "daemonset");
        template(causes, "spec.template", spec.path("template"), ALWAYS);
        notNegative(causes, spec, "minReadySeconds");
        immutableSelector(causes, spec, before);
    }

    static void job(Causes causes, String path, JsonNode spec) {
        for (String count : List.of("parallelism", "completions", "backoffLimit")) {
            if (spec.path(count).asLong() < 0) {
                causes.invalid(path + "." + count, spec.path(count), "must be greater than or equal to 0");
            }
        }
        template(causes, path + ".template", spec.path("template"), List.of("OnFailure", "Never"));
    }

    /** The template of a Job that was suspended before it began may still change. */
    static void jobUpdate(Causes causes, JsonNode spec, @Nullable ObjectNode before) {
        if (before == null) {
            return;
        }
        JsonNode was = before.path("spec");
        boolean begun =
                !was.path("suspend").asBoolean() || before.path("status").has("startTime");
        for (String field : List.of("completions", "selector", "template", "completionMode")) {
            boolean fixed = begun || !field.equals("template");
            if (fixed && !spec.path(field).equals(was.path(field))) {
                causes.invalid("spec." + field, spec.path(field), "field is immutable");
            }
        }
    }

    static void cronJob(Causes causes, JsonNode spec) {
        String schedule = spec.path("schedule").asText();
        if (schedule.isEmpty()) {
            causes.required("spec.schedule", "");
        } else {
            try {
                CronSchedule.parse(schedule, ZoneOffset.UTC);
            } catch (IllegalArgumentException e) {
                causes.invalid("spec.schedule", spec.path("schedule"), String.valueOf(e.getMessage()));
            }
        }
        PodValidation.oneOf(
                causes,
                "spec.concurrencyPolicy",
                spec.path("concurrencyPolicy"),
                List.of("Allow", "Forbid", "Replace"));
        job(causes, "spec.jobTemplate.spec", spec.path("jobTemplate").path("spec"));
    }

    private static void template(Causes causes, String path, JsonNode template, List<String> restartPolicies) {
        labels(causes, path, template);
        PodValidation.spec(causes, path + ".spec", template.path("spec"));
        restartPolicy(causes, path, template, restartPolicies);
    }

    private static void labels(Causes causes, String path, JsonNode template) {
        MetadataValidation.labels(
                causes, path + ".metadata.labels", template.path("metadata").path("labels"));
    }

    private static void restartPolicy(Causes causes, String path, JsonNode template, List<String> restartPolicies) {
        JsonNode policy = template.path("spec").path("restartPolicy");
        if (!restartPolicies.contains(policy.asText())) {
            causes.unsupported(path + ".spec.restartPolicy", policy, restartPolicies);
        }
    }

    /** A missing selector matches nothing. */
    private static void selector(Causes causes, JsonNode spec, String kind) {
        JsonNode selector = spec.path("selector");
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        if (!selector.isObject()) {
            causes.required("spec.selector", "");
        } else if (selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty()) {
            causes.add(FieldCause.invalid("spec.selector", shown(selector), "empty selector is invalid for " + kind));
            return;
        }
        try {
            if (!LabelSelector.of(selector).matches(labels)) {
                causes.add(FieldCause.invalid(
                        "spec.template.metadata.labels", texts(labels), "`selector` does not match template `labels`"));
            }
        } catch (SelectorException e) {
            causes.add(FieldCause.invalid("spec.selector", shown(selector), "invalid label selector"));
        }
    }

    private static void immutableSelector(Causes causes, JsonNode spec, @Nullable JsonNode before) {
        if (before != null && !spec.path("selector").equals(before.path("selector"))) {
            JsonNode selector = spec.path("selector");
            String shown = selector.isObject() ? shown(selector) : GoText.badValue(selector);
            causes.add(FieldCause.invalid("spec.selector", shown, "field is immutable"));
        }
    }

    /** As Go shows the struct. */
    private static String shown(JsonNode selector) {
        JsonNode labels = selector.path("matchLabels");
        return "v1.LabelSelector{MatchLabels:" + texts(labels)
                + ", MatchExpressions:[]v1.LabelSelectorRequirement(nil)}";
    }

    private static String texts(JsonNode labels) {
        return labels.isEmpty()
                ? "map[string]string(nil)"
                : labels.properties().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(label -> GoText.quote(label.getKey()) + ":"
                                + GoText.quote(label.getValue().asText()))
                        .collect(Collectors.joining(", ", "map[string]string{", "}"));
    }

    private static void notNegative(Causes causes, JsonNode spec, String field) {
        if (spec.path(field).asLong() < 0) {
            causes.invalid("spec." + field, spec.path(field), "must be greater than or equal to 0");
        }
    }

    private static boolean isZero(JsonNode value) {
        return value.isNumber() ? value.asInt() == 0 : value.asText().equals("0%");
    }
}
