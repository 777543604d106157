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
import io.busbar.sandbox.syntax.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of Jobs. Any thread. */
public final class JobRules extends WorkloadRules {

    private static final String PREFIX = "batch.kubernetes.io/";
    private static final int SOFT_LIMIT = 100_000;
    private static final int LIMIT_OF_MANY = 10_000;

    public static final RulesFile RULES = RulesFile.beside(
            JobRules.class,
            Map.of(
                    "template", JobRules::template,
                    "failureRule", JobRules::failureRule,
                    "containerName", JobRules::containerName,
                    "exitCodes", JobRules::exitCodes,
                    "manyIndexes", JobRules::manyIndexes,
                    "successPolicy", JobRules::successPolicy,
                    "succeeded", JobRules::succeeded));

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
            // What the user says is checked, and not written over.
            Fields.text(labels, prefix + "controller-uid", uid);
            Fields.text(labels, prefix + "job-name", name);
        }
        Fields.text(Fields.in(Fields.in(spec, "selector"), "matchLabels"), PREFIX + "controller-uid", uid);
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
        if (before == null) {
            checkHosts(causes, job);
            return;
        }
        if (subresource.equals("status")) {
            new StatusChecks(causes, job, before).check();
        }
        if (!subresource.isEmpty()) {
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

    /** The Pods of an Indexed Job are hosts of its name and their index. */
    private static void checkHosts(Causes causes, ObjectNode job) {
        int completions = job.at("/spec/completions").asInt();
        String name = job.at("/metadata/name").asText();
        String last = name + "-" + (completions - 1);
        if (job.at("/spec/completionMode").asText().equals("Indexed")
                && completions > 0
                && !Names.dnsLabel(last).isEmpty()) {
            causes.invalid("metadata.name", name, "will not able to create pod with invalid DNS label: " + last);
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
        if (!own && !spec.updates() && selector.value().isObject()) {
            generated(spec, selector, labels);
        }
        if (!TemplateChecks.matches(selector, labels.value())) {
            labels.invalid("`selector` does not match template `labels`");
        }
    }

    /** What is made of the Job's uid has to stand there, as it does unless the user has written something else. */
    private static void generated(Place spec, Place selector, Place labels) {
        JsonNode metadata = spec.root().value().path("metadata");
        ObjectNode expected = ((ObjectNode) spec.value()).objectNode();
        for (String prefix : new String[] {"", PREFIX}) {
            expected.put(prefix + "controller-uid", metadata.path("uid").asText());
            expected.put(prefix + "job-name", metadata.path("name").asText());
        }
        for (Map.Entry<String, JsonNode> label : expected.properties()) {
            if (!labels.get(label.getKey()).equals(label.getValue())) {
                labels.causes()
                        .invalid(
                                labels.path() + "[" + label.getKey() + "]",
                                labels.value(),
                                "must be '" + label.getValue().asText() + "'");
            }
        }
        try {
            if (!LabelSelector.of(selector.value()).matches(expected)) {
                selector.invalid("`selector` not auto-generated");
            }
        } catch (SelectorException e) {
            // That it is none is told already.
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

    /** So many indexes that can fail one by one would make the status too long. */
    private static void manyIndexes(Place spec) {
        if (spec.get("completions").asLong() <= SOFT_LIMIT || !spec.value().has("backoffLimitPerIndex")) {
            return;
        }
        Place failed = spec.field("maxFailedIndexes");
        if (failed.value().isMissingNode()) {
            failed.required("must be specified when completions is above " + SOFT_LIMIT);
        }
        for (Place limited : List.of(spec.field("parallelism"), failed)) {
            if (limited.value().asLong() > LIMIT_OF_MANY) {
                limited.invalid("must be less than or equal to " + LIMIT_OF_MANY + " when completions are above "
                        + SOFT_LIMIT + " and used with backoff limit per index");
            }
        }
    }

    private static void successPolicy(Place policy) {
        if (policy.value().isObject()
                && policy.parent().get("completionMode").asText().equals("Indexed")) {
            policy.inside();
        } else if (policy.value().isObject()) {
            policy.invalid("requires indexed completion mode");
        }
    }

    private static void succeeded(Place rule) {
        Place spec = rule.within("batch.v1.JobSpec");
        int completions = spec == null ? 0 : spec.get("completions").asInt();
        Place count = rule.field("succeededCount");
        Place indexes = rule.field("succeededIndexes");
        int total = 0;
        if (!indexes.value().isMissingNode()) {
            try {
                total = Indexes.parse(indexes.value().asText(), completions).size();
            } catch (IllegalArgumentException e) {
                indexes.invalid("error parsing succeededIndexes: " + e.getMessage());
            }
        }
        if (count.value().asLong() > completions) {
            count.invalid("must be less than or equal to " + completions + " (the number of specified completions)");
        }
        if (!indexes.value().isMissingNode() && count.value().asLong() > total) {
            count.invalid("must be less than or equal to " + total
                    + " (the number of indexes in the specified succeededIndexes field)");
        }
    }
}
