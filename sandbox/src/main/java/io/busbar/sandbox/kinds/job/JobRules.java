package io.busbar.sandbox.kinds.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.template.TemplateChecks;
import io.busbar.sandbox.kinds.template.WorkloadRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.select.SelectorException;
import io.busbar.sandbox.status.Causes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of Jobs. Any thread. */
public final class JobRules extends WorkloadRules {

    private static final String PREFIX = "batch.kubernetes.io/";

    public static final RulesFile RULES = RulesFile.beside(
            JobRules.class,
            Map.of(
                    "template", JobRules::template,
                    "failureRule", JobRules::failureRule,
                    "containerName", JobRules::containerName,
                    "exitCodes", JobRules::exitCodes,
                    "succeededCount", JobRules::succeededCount));

    public JobRules(Facts facts) {
        super(facts);
    }

    /** The labels by which a Job finds its Pods are made of its uid, unless the user has chosen some. */
    @Override
    protected void prepareNew(ObjectNode job) {
        ObjectNode spec = Fields.in(job, "spec");
        if (spec.path("manualSelector").asBoolean()) {
            return;
        }
        String uid = job.path("metadata").path("uid").asText();
        String name = job.path("metadata").path("name").asText();
        ObjectNode metadata = Fields.in(Fields.in(spec, "template"), "metadata");
        ObjectNode labels = Fields.in(metadata, "labels");
        for (String prefix : new String[] {"", PREFIX}) {
            labels.put(prefix + "controller-uid", uid).put(prefix + "job-name", name);
        }
        Fields.in(Fields.in(spec, "selector"), "matchLabels").put(PREFIX + "controller-uid", uid);
        if (job.path("metadata").path("labels").isEmpty()) {
            Fields.in(job, "metadata").set("labels", labels.deepCopy());
        }
    }

    /**
     * The template of a Job that was suspended before it began may still change, and so may how many of its indexes
     * there are.
     */
    @Override
    protected void check(Causes causes, ObjectNode job, @Nullable ObjectNode before, String subresource) {
        if (before == null || !subresource.isEmpty()) {
            return;
        }
        JsonNode spec = job.path("spec");
        JsonNode was = before.path("spec");
        boolean begun =
                !was.path("suspend").asBoolean() || before.path("status").has("startTime");
        boolean elastic = spec.path("completionMode").asText().equals("Indexed")
                && spec.path("completions").equals(spec.path("parallelism"));
        for (String field : List.of("completions", "selector", "template")) {
            boolean fixed = !field.equals("completions") || !elastic;
            boolean open = field.equals("template") && !begun;
            if (fixed && !fixed(spec.path(field), open).equals(fixed(was.path(field), open))) {
                causes.invalid("spec." + field, spec.path(field), "field is immutable");
            }
        }
    }

    /** What says where Pods may run is open until the Job begins; kueue and its like fill it in. */
    private static JsonNode fixed(JsonNode field, boolean open) {
        if (!open || !(field instanceof ObjectNode template)) {
            return field;
        }
        ObjectNode fixed = template.deepCopy();
        Fields.ifObject(fixed.get("metadata"), metadata -> metadata.remove(List.of("labels", "annotations")));
        Fields.ifObject(
                fixed.get("spec"),
                spec -> spec.remove(List.of("nodeSelector", "affinity", "tolerations", "schedulingGates")));
        return fixed;
    }

    /** Jobs are older than that dependents go with their owner. */
    @Override
    public List<String> warningsOfDeletion() {
        return List.of(
                "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them"
                        + " or set propagationPolicy=Orphan to suppress this warning");
    }

    /** The selector has to find what the template makes, and, unless it is the user's, to be the generated one. */
    private static void template(Place spec) {
        if (spec.path().startsWith("spec.jobTemplate")) {
            TemplateChecks.labels(spec.field("template"));
            return;
        }
        Place selector = spec.field("selector");
        Place labels = spec.at("template.metadata.labels");
        TemplateChecks.labels(spec.field("template"));
        if (!selector.value().isObject()) {
            selector.required();
        }
        boolean own = spec.get("manualSelector").asBoolean();
        if (!own && !spec.updates() && selector.value().isObject() && !findsGenerated(spec, selector)) {
            selector.invalid("`selector` not auto-generated");
        }
        if (!TemplateChecks.matches(selector, labels.value())) {
            labels.invalid("`selector` does not match template `labels`");
        }
    }

    private static boolean findsGenerated(Place spec, Place selector) {
        String uid = spec.root().value().at("/metadata/uid").asText();
        ObjectNode expected = ((ObjectNode) spec.value()).objectNode();
        expected.put("controller-uid", uid).put(PREFIX + "controller-uid", uid);
        String name = spec.root().value().at("/metadata/name").asText();
        expected.put("job-name", name).put(PREFIX + "job-name", name);
        try {
            return LabelSelector.of(selector.value()).matches(expected);
        } catch (SelectorException e) {
            return true;
        }
    }

    private static void failureRule(Place rule) {
        boolean codes = rule.value().has("onExitCodes");
        boolean conditions = !rule.get("onPodConditions").isEmpty();
        if (codes && conditions) {
            rule.invalidAsAWhole("specifying both OnExitCodes and OnPodConditions is not supported");
        } else if (!codes && !conditions) {
            rule.invalidAsAWhole("specifying one of OnExitCodes and OnPodConditions is required");
        }
        Place spec = rule.within("batch.v1.JobSpec");
        if (rule.text("action").equals("FailIndex")
                && spec != null
                && !spec.value().has("backoffLimitPerIndex")) {
            rule.field("action").invalid("requires the backoffLimitPerIndex to be set");
        }
    }

    private static void containerName(Place name) {
        Place spec = name.within("batch.v1.JobSpec");
        JsonNode pod = spec == null ? name.value() : spec.get("template").path("spec");
        List<JsonNode> names = new ArrayList<>(pod.path("containers").findValues("name"));
        names.addAll(pod.path("initContainers").findValues("name"));
        if (!name.isBlank() && !names.contains(name.value())) {
            name.invalid("must be one of the container or initContainer names in the pod template");
        }
    }

    private static void exitCodes(Place codes) {
        if (codes.isBlank()) {
            codes.invalid("[]", "at least one value is required");
        }
        for (int i = 1; i < codes.value().size(); i++) {
            if (codes.value().path(i - 1).asInt() > codes.value().path(i).asInt()) {
                codes.invalid("must be ordered");
                return;
            }
        }
    }

    private static void succeededCount(Place count) {
        Place spec = count.within("batch.v1.JobSpec");
        long completions = spec == null ? 0 : spec.get("completions").asLong();
        if (count.value().asLong() > completions) {
            count.invalid("must be less than or equal to " + completions + " (the number of specified completions)");
        }
    }
}
