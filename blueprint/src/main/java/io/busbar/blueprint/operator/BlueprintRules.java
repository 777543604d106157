package io.busbar.blueprint.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.check.BlueprintCheck;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.source.Place;
import io.busbar.blueprint.source.Problem;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.v1alpha1.StoredBlueprint;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whether a Blueprint can work in this cluster: what {@code blueprint check} looks at, with the kinds that are defined
 * here, and whether its kind and its account may be what they are. Its webhook asks, and so does its controller.
 *
 * <p>Any thread; it takes longer than an event loop can wait.
 */
final class BlueprintRules implements Validator<StoredBlueprint> {

    /** As a label says which Blueprint a definition is of. */
    private static final int LONGEST_NAME = 63;

    private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    /** Kubernetes' own. */
    private static final Pattern PROTECTED_GROUP = Pattern.compile("(.*\\.)?(k8s|kubernetes)\\.io");

    private final ClusterTypes types;
    private final KubernetesSerialization serialization;
    private final BlueprintFlags flags;

    BlueprintRules(ClusterTypes types, KubernetesSerialization serialization, BlueprintFlags flags) {
        this.types = types;
        this.serialization = serialization;
        this.flags = flags;
    }

    /**
     * A Blueprint that was looked at.
     *
     * @param blueprint empty when it cannot even be read
     * @param account whose rights its instances are reconciled with
     */
    record Checked(Optional<CheckedBlueprint> blueprint, String account, Problems problems) {

        /** What can be run. */
        Optional<CheckedBlueprint> fit() {
            return problems.isEmpty() ? blueprint : Optional.empty();
        }
    }

    Checked check(StoredBlueprint stored) {
        SourceNode document = SourceNode.of(serialization.convertValue(stored, JsonNode.class));
        Problems problems = new Problems();
        Optional<Blueprint> read = Blueprint.read(document, problems);
        Optional<CheckedBlueprint> checked =
                read.map(blueprint -> BlueprintCheck.check(blueprint, types, types.metadata(), problems));
        read.ifPresent(blueprint -> checkKind(blueprint, document, problems));
        String account = read.map(Blueprint::serviceAccountName)
                .filter(name -> !name.isEmpty())
                .orElse(flags.defaultAccount());
        checkAccount(account, document, problems);
        return new Checked(checked, account, problems);
    }

    private void checkKind(Blueprint blueprint, SourceNode document, Problems problems) {
        InstanceSchema schema = blueprint.schema();
        Place place = place(document, "spec", "schema", "kind");
        if (blueprint.name().length() > LONGEST_NAME) {
            problems.add(place(document, "metadata", "name"), "must be no longer than " + LONGEST_NAME + " characters");
        }
        if (PROTECTED_GROUP.matcher(schema.group()).matches()) {
            problems.add(
                    place(document, "spec", "schema", "group"),
                    "'" + schema.group() + "' is Kubernetes' own; allowed: a group of your own");
        }
        types.definition(schema.plural() + "." + schema.group())
                .flatMap(definition -> takenBy(definition, blueprint.name()))
                .ifPresent(other -> problems.add(
                        place,
                        "the kind " + schema.kind() + " of the group " + schema.group() + " belongs to " + other));
        checkPlural(schema, document, problems);
    }

    /** An API server takes no second definition of a kind. */
    private void checkPlural(InstanceSchema schema, SourceNode document, Problems problems) {
        String field = document.at("spec", "schema", "plural") == null ? "kind" : "plural";
        types.plurals(schema.apiVersion(), schema.kind())
                .filter(plural -> !plural.equals(schema.plural()))
                .findFirst()
                .ifPresent(other -> problems.add(
                        place(document, "spec", "schema", field),
                        "the kind " + schema.kind() + " of the group " + schema.group() + " has the plural " + other
                                + " already, and keeps it until its definition is deleted"));
    }

    /** Whose a definition is, if not this Blueprint's. */
    private static Optional<String> takenBy(CustomResourceDefinition definition, String blueprint) {
        Optional<String> owner = BlueprintReconciler.OWNER.of(definition);
        if (owner.isEmpty()) {
            return Optional.of("somebody else: its definition lacks the label " + BlueprintReconciler.OWNER.name() + "="
                    + blueprint);
        }
        return owner.filter(name -> !name.equals(blueprint)).map(name -> "the Blueprint " + name);
    }

    /** Whether a ServiceAccount may be called so; not where there is no name. */
    static boolean isAccount(String name) {
        return ACCOUNT.matcher(name).matches();
    }

    private void checkAccount(String account, SourceNode document, Problems problems) {
        if (account.isEmpty()) {
            problems.add(
                    place(document, "spec"),
                    "the field 'serviceAccountName' is missing: instances are reconciled with the rights of a"
                            + " ServiceAccount, and the operator has no --default-service-account");
        } else if (!isAccount(account)) {
            problems.add(
                    place(document, "spec", "serviceAccountName"),
                    "'" + account
                            + "' is no name of a ServiceAccount; allowed: lower-case letters, digits, '-' and '.'");
        }
    }

    private static Place place(SourceNode document, String... fields) {
        SourceNode node = document.at(fields);
        return (node == null ? document : node).place();
    }

    @Override
    public Verdict create(StoredBlueprint blueprint, AdmissionRequest request) {
        return Verdict.of(check(blueprint).problems().list().stream()
                .map(BlueprintRules::fieldProblem)
                .toList());
    }

    /** One that the cluster has made unfit can still be labelled. */
    @Override
    public Verdict update(StoredBlueprint before, StoredBlueprint after, AdmissionRequest request) {
        return Objects.equals(after.getSpec(), before.getSpec()) ? Verdict.ok() : create(after, request);
    }

    private static FieldProblem fieldProblem(Problem problem) {
        String path = problem.place().path();
        return new FieldProblem(FieldProblem.Type.INVALID, path.isEmpty() ? "spec" : path, "", problem.words());
    }
}
