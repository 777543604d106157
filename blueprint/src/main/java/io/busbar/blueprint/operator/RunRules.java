package io.busbar.blueprint.operator;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.blueprint.v1alpha1.BlueprintRunSpec;
import io.busbar.blueprint.v1alpha1.StoredBlueprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Whether there is what a run asks for, whether it is where it may be, and what of it can change. Any thread. */
final class RunRules implements Validator<BlueprintRun> {

    private final Function<String, List<StoredBlueprint>> blueprints;

    private final String accounts;

    /**
     * @param blueprints those that have to do with a kind, see {@link ClusterTypes#kindOf}
     * @param accounts the namespace of ServiceAccounts, where alone runs about instances in no namespace are
     */
    RunRules(Function<String, List<StoredBlueprint>> blueprints, String accounts) {
        this.blueprints = blueprints;
        this.accounts = accounts;
    }

    @Override
    public Verdict create(BlueprintRun run, AdmissionRequest request) {
        BlueprintRunSpec spec = run.getSpec();
        if (spec == null) {
            return Verdict.of(List.of(FieldProblem.required("spec", "an instance and a plan")));
        }
        String apiVersion = spec.instance().apiVersion();
        Optional<StoredBlueprint> blueprint =
                blueprints.apply(ClusterTypes.kindOf(apiVersion, spec.instance().kind())).stream()
                        .filter(one -> declares(one, apiVersion, spec.instance().kind()))
                        .findFirst();
        if (blueprint.isEmpty()) {
            return Verdict.of(List.of(FieldProblem.invalid(
                    "spec.instance.kind", spec.instance().kind(), "no Blueprint declares this kind of " + apiVersion)));
        }
        if (isInNone(blueprint.get()) && !request.namespace().equals(accounts)) {
            return Verdict.of(List.of(FieldProblem.invalid(
                    "metadata.namespace",
                    request.namespace(),
                    "a run about a " + spec.instance().kind() + ", which is in no namespace, must be in the namespace '"
                            + accounts + "'")));
        }
        List<String> plans = plans(blueprint.get());
        return plans.contains(spec.plan())
                ? Verdict.ok()
                : Verdict.of(List.of(FieldProblem.notSupported(
                        "spec.plan",
                        spec.plan(),
                        plans.isEmpty() ? "none, as its Blueprint has no plans" : String.join(", ", plans))));
    }

    private static boolean declares(StoredBlueprint blueprint, String apiVersion, String kind) {
        Map<String, Object> schema = blueprint.getSpec().schema();
        return kind.equals(schema.get("kind"))
                && apiVersion.equals(
                        schema.getOrDefault("group", InstanceSchema.DEFAULT_GROUP) + "/" + schema.get("apiVersion"));
    }

    /** Whether its instances are in no namespace. */
    private static boolean isInNone(StoredBlueprint blueprint) {
        return "Cluster".equals(blueprint.getSpec().schema().get("scope"));
    }

    private static List<String> plans(StoredBlueprint blueprint) {
        List<Map<String, Object>> plans = blueprint.getSpec().plans();
        return plans == null
                ? List.of()
                : plans.stream().map(plan -> String.valueOf(plan.get("name"))).toList();
    }

    @Override
    public Verdict update(BlueprintRun before, BlueprintRun after, AdmissionRequest request) {
        BlueprintRunSpec old = before.getSpec();
        BlueprintRunSpec now = after.getSpec();
        if (old == null || now == null) {
            return create(after, request);
        }
        List<FieldProblem> problems = new ArrayList<>();
        fixed("spec.instance", old.instance(), now.instance(), problems);
        fixed("spec.plan", old.plan(), now.plan(), problems);
        fixed("spec.parameters", old.parameters(), now.parameters(), problems);
        int attempt = Objects.requireNonNullElse(now.attempt(), 1);
        if (attempt < Objects.requireNonNullElse(old.attempt(), 1)) {
            problems.add(FieldProblem.invalid("spec.attempt", attempt, "must not become smaller"));
        }
        return Verdict.of(problems);
    }

    private static void fixed(
            String path, @Nullable Object before, @Nullable Object after, List<FieldProblem> problems) {
        if (!Objects.equals(before, after)) {
            problems.add(FieldProblem.forbidden(path, "a run that is there cannot change this: make another one"));
        }
    }
}
