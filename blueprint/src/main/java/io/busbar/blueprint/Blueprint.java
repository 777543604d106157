package io.busbar.blueprint;

import io.busbar.blueprint.BlueprintResource.Iterator;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.source.Fields;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.cel.FieldNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A document of the kind Blueprint.
 *
 * <p>Immutable. Its form has been looked at; its expressions have not.
 *
 * @param node all that is written of its spec
 * @param plans what can be done with an instance besides
 * @param rollout how instances move to it from what it was before
 * @param serviceAccountName empty when it names none
 */
public record Blueprint(
        String name,
        SourceNode node,
        InstanceSchema schema,
        List<BlueprintResource> resources,
        List<Plan> plans,
        Rollout rollout,
        String serviceAccountName) {

    public static final String API_VERSION = "blueprints.busbar.io/v1alpha1";
    public static final String KIND = "Blueprint";

    private static final int MOST_RESOURCES = 500;
    private static final List<String> DELETION_POLICIES = List.of("Delete", BlueprintResource.ORPHANED);
    private static final String WORD = "[a-z][A-Za-z0-9]{0,62}";

    /** What names in expressions mean already. */
    private static final Set<String> TAKEN =
            Set.of("schema each self instance runtime bool bytes double dyn int list map string type uint".split(" "));

    /** Whether a name means something else in expressions. */
    public static boolean isTaken(String name) {
        return TAKEN.contains(name) || FieldNames.RESERVED.contains(name);
    }

    /** Reads a document; empty for one that is no Blueprint. What is wrong with it goes to the problems. */
    public static Optional<Blueprint> read(SourceNode document, Problems problems) {
        if (!document.isMap()
                || !document.text("kind").equals(KIND)
                || !document.text("apiVersion").equals(API_VERSION)) {
            problems.add(
                    document.field("kind").orElse(document).place(),
                    "no Blueprint: apiVersion must be " + API_VERSION + ", and kind " + KIND
                            + (document.text("kind").equals("ResourceGraphDefinition")
                                    ? "; a ResourceGraphDefinition is one when these two are changed"
                                    : ""));
            return Optional.empty();
        }
        return new Reading(problems).blueprint(document);
    }

    /** Reads one document. One thread. */
    private static final class Reading {

        private final Problems problems;
        private final Set<String> names = new HashSet<>();

        Reading(Problems problems) {
            this.problems = problems;
        }

        Optional<Blueprint> blueprint(SourceNode document) {
            Fields fields = new Fields(document, problems, "apiVersion", "kind", "metadata", "spec", "status");
            String name = fields.requiredMap("metadata")
                    .map(metadata -> {
                        String text = metadata.text("name");
                        if (text.isBlank()) {
                            problems.add(metadata.keyPlace(), "the field 'name' is missing");
                        }
                        return text;
                    })
                    .orElse("");
            Optional<SourceNode> spec = fields.requiredMap("spec");
            if (spec.isEmpty()) {
                return Optional.empty();
            }
            Fields inner =
                    new Fields(spec.get(), problems, "schema", "resources", "plans", "rollout", "serviceAccountName");
            String account =
                    inner.text("serviceAccountName").map(SourceNode::text).orElse("");
            Optional<SourceNode> schema = inner.requiredMap("schema");
            Rollout rollout = inner.map("rollout")
                    .map(node -> Rollout.read(node, problems))
                    .orElse(Rollout.AT_ONCE);
            List<BlueprintResource> resources = resources(inner.list("resources"));
            List<SourceNode> writtenPlans = inner.list("plans");
            List<Plan> plans = new PlanReader(problems).plans(writtenPlans);
            if (!plans.isEmpty() && names.contains("run")) {
                problems.add(spec.get().place(), "'run' means the run of a plan in expressions: choose another id");
            }
            return schema.map(written -> {
                InstanceSchema read = InstanceSchema.read(written, problems);
                checkOwnPlans(spec.get(), writtenPlans, plans, read);
                return new Blueprint(name, spec.get(), read, resources, plans, rollout, account);
            });
        }

        /** What those that begin by themselves need. */
        private void checkOwnPlans(SourceNode spec, List<SourceNode> written, List<Plan> plans, InstanceSchema schema) {
            for (int i = 0; i < plans.size(); i++) {
                if (plans.get(i).beginsByItself() && !schema.namespaced()) {
                    problems.add(
                            written.get(i).place(),
                            "the plan '" + plans.get(i).name()
                                    + "' begins by itself, and instances are in no namespace, where its runs would be:"
                                    + " give it another name, without a trigger");
                }
            }
            if (plans.stream().noneMatch(Plan::beginsByItself)) {
                return;
            }
            if (names.contains("oldSelf")) {
                problems.add(spec.place(), "'oldSelf' means something in triggers of plans: choose another id");
            }
            schema.status()
                    .flatMap(status -> status.field("plans"))
                    .ifPresent(field -> problems.add(
                            field.keyPlace(), "'plans' is what the operator itself writes: choose another name"));
        }

        private List<BlueprintResource> resources(List<SourceNode> nodes) {
            List<BlueprintResource> resources = new ArrayList<>();
            for (SourceNode node : nodes) {
                if (resources.size() == MOST_RESOURCES) {
                    problems.add(node.place(), "there are more than " + MOST_RESOURCES + " resources");
                    return resources;
                }
                resource(node).ifPresent(resources::add);
            }
            for (BlueprintResource resource : resources) {
                resource.forEach().stream()
                        .filter(iterator -> names.contains(iterator.name()))
                        .forEach(iterator -> problems.add(
                                iterator.list().keyPlace(), "'" + iterator.name() + "' is the id of a resource"));
            }
            return resources;
        }

        private Optional<BlueprintResource> resource(SourceNode node) {
            Fields fields = new Fields(
                    node,
                    problems,
                    "id",
                    "template",
                    "externalRef",
                    "readyWhen",
                    "includeWhen",
                    "forEach",
                    "deletionPolicy");
            String id = fields.requiredText("id");
            if (!id.isBlank()) {
                checkName(id, node.field("id").orElse(node), "an id");
                if (!names.add(id)) {
                    problems.add(node.field("id").orElse(node).place(), "'" + id + "' is there twice");
                }
            }
            Optional<SourceNode> template = fields.map("template");
            Optional<SourceNode> external = fields.map("externalRef");
            boolean either = node.field("template").isPresent()
                    != node.field("externalRef").isPresent();
            if (!either && node.isMap()) {
                problems.add(node.place(), "there must be either a 'template' or an 'externalRef'");
            }
            Optional<SourceNode> body = template.or(() -> external);
            List<Iterator> forEach = iterators(fields.list("forEach"));
            if (body.isEmpty() || !either || id.isBlank()) {
                return Optional.empty();
            }
            boolean isExternal = template.isEmpty();
            checkBody(body.get(), isExternal);
            if (isExternal && !forEach.isEmpty()) {
                problems.add(
                        node.field("forEach").orElse(node).keyPlace(),
                        "there can be no forEach of an externalRef; a selector finds several objects");
            }
            return Optional.of(new BlueprintResource(
                    id,
                    node,
                    body.get(),
                    isExternal,
                    fields.texts("includeWhen"),
                    fields.texts("readyWhen"),
                    forEach,
                    isOrphaned(fields.text("deletionPolicy"), isExternal)));
        }

        private boolean isOrphaned(Optional<SourceNode> policy, boolean external) {
            if (policy.isEmpty()) {
                return false;
            }
            SourceNode written = policy.get();
            if (external) {
                problems.add(
                        written.keyPlace(),
                        "there can be no deletionPolicy of an externalRef, which is read and never deleted");
            } else if (!DELETION_POLICIES.contains(written.text())) {
                problems.add(
                        written.place(),
                        written.shown() + " is not allowed; allowed: " + String.join(", ", DELETION_POLICIES));
            }
            return written.text().equals(BlueprintResource.ORPHANED);
        }

        private void checkName(String name, SourceNode at, String what) {
            if (!name.matches(WORD)) {
                problems.add(
                        at.place(),
                        "'" + name + "' is not allowed as " + what
                                + "; allowed: a word of letters and digits that begins with a small one");
            } else if (isTaken(name)) {
                problems.add(at.place(), "'" + name + "' means something else in expressions: choose another name");
            }
        }

        private List<Iterator> iterators(List<SourceNode> nodes) {
            List<Iterator> iterators = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            for (SourceNode node : nodes) {
                if (node.names().size() != 1) {
                    problems.add(node.place(), "must be a map of one name to an expression, and is " + node.shown());
                    continue;
                }
                Map.Entry<String, SourceNode> only = node.entries().iterator().next();
                checkName(only.getKey(), only.getValue(), "a variable");
                if (!seen.add(only.getKey())) {
                    problems.add(only.getValue().keyPlace(), "'" + only.getKey() + "' is there twice");
                }
                if (only.getValue().isText()) {
                    iterators.add(new Iterator(only.getKey(), only.getValue()));
                } else {
                    problems.add(
                            only.getValue().place(),
                            "must be an expression, and is " + only.getValue().shown());
                }
            }
            return iterators;
        }

        private void checkBody(SourceNode body, boolean external) {
            Fields fields = external
                    ? new Fields(body, problems, "apiVersion", "kind", "metadata")
                    : new Fields(body, problems, body.names().toArray(String[]::new));
            for (String field : List.of("apiVersion", "kind")) {
                if (fields.requiredText(field).contains("${")) {
                    problems.add(body.field(field).orElse(body).place(), "there can be no expression here");
                }
            }
            Optional<SourceNode> metadata = fields.requiredMap("metadata");
            if (metadata.isEmpty()) {
                return;
            }
            boolean selected = external && metadata.get().field("selector").isPresent();
            if (external) {
                new Fields(metadata.get(), problems, "name", "namespace", "selector");
            }
            if (selected == metadata.get().field("name").isPresent()) {
                problems.add(
                        metadata.get().keyPlace(),
                        external ? "there must be either a 'name' or a 'selector'" : "the field 'name' is missing");
            }
        }
    }
}
