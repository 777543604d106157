package io.busbar.blueprint.check;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import io.busbar.blueprint.Blueprint;
import io.busbar.blueprint.BlueprintResource;
import io.busbar.blueprint.Plan;
import io.busbar.blueprint.check.CheckedPlan.CheckedStep;
import io.busbar.blueprint.check.CheckedText.Copied;
import io.busbar.blueprint.check.CheckedText.Evaluated;
import io.busbar.blueprint.check.TextParts.Part;
import io.busbar.blueprint.source.Place;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.Shown;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.KindType;
import io.busbar.blueprint.types.SchemaShapes;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.Shape.ListOf;
import io.busbar.blueprint.types.Shape.MapOf;
import io.busbar.blueprint.types.Shape.ObjectOf;
import io.busbar.blueprint.types.Shape.Scalar;
import io.busbar.blueprint.types.ShapeFit;
import io.busbar.blueprint.types.ShapeTypes;
import io.busbar.blueprint.types.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Checks a Blueprint: that each expression can be evaluated and comes to what its field takes, that fields are those of
 * the kinds, and that the resources can be put in an order.
 *
 * <p>One thread, for one Blueprint. It tells all that is wrong. Of a kind that nobody knows it lets pass any field.
 */
public final class BlueprintCheck {

    private static final Set<Scalar> TEXTS = Set.of(Scalar.TEXT, Scalar.INTEGER_OR_TEXT, Scalar.QUANTITY, Scalar.ANY);
    private static final Map<String, Shape> REFERENCE = ImmutableMap.of(
            "apiVersion", Scalar.TEXT,
            "kind", Scalar.TEXT,
            "metadata",
                    new ObjectOf(
                            "ExternalMetadata",
                            () -> ImmutableMap.of(
                                    "name", Scalar.TEXT, "namespace", Scalar.TEXT, "selector", LabelSelectors.SHAPE)));

    /** The variable {@code run} of plans. */
    public static final Shape RUN = new ObjectOf(
            "run",
            () -> Map.of(
                    "name", Scalar.TEXT,
                    "uid", Scalar.TEXT,
                    "attempt", Scalar.INTEGER,
                    "parameters", new MapOf(Scalar.TEXT)));

    private final Blueprint blueprint;
    private final Types kinds;
    private final Problems problems;
    private final ShapeTypes types = new ShapeTypes();
    private final ShapeFit fit = new ShapeFit(types);
    private final ObjectOf instance;
    private final Map<String, Shape> ids = new LinkedHashMap<>();
    private final Map<String, KindType> known = new HashMap<>();
    private final ResourceOrder order;
    /** What tells which object it is, and so cannot be left out. */
    private final Set<SourceNode> identities = new HashSet<>();

    private BlueprintCheck(Blueprint blueprint, Types kinds, Shape metadata, Problems problems) {
        this.blueprint = blueprint;
        this.kinds = kinds;
        this.problems = problems;
        Shape spec = SchemaShapes.ofDefinition().shape(blueprint.schema().spec(), "schema.spec");
        Map<String, Shape> fields = new LinkedHashMap<>();
        fields.put("apiVersion", Scalar.TEXT);
        fields.put("kind", Scalar.TEXT);
        fields.put("metadata", blueprint.schema().namespaced() ? metadata : withoutNamespace(metadata));
        fields.put("spec", spec);
        this.instance = new ObjectOf("schema", () -> fields);
        this.order = new ResourceOrder(
                blueprint.resources().stream().map(BlueprintResource::id).toList());
    }

    /**
     * @param kinds what is known of the kinds of templates
     * @param metadata of instances
     * @param problems takes what is wrong
     * @return what can be rendered; of no use when there are problems
     */
    public static CheckedBlueprint check(Blueprint blueprint, Types kinds, Shape metadata, Problems problems) {
        return new BlueprintCheck(blueprint, kinds, metadata, problems).checked();
    }

    private static Shape withoutNamespace(Shape metadata) {
        return !(metadata instanceof ObjectOf object)
                ? metadata
                : new ObjectOf("cluster." + object.name(), () -> {
                    Map<String, Shape> fields = new LinkedHashMap<>(object.fields());
                    fields.remove("namespace");
                    return fields;
                });
    }

    private CheckedBlueprint checked() {
        for (BlueprintResource resource : blueprint.resources()) {
            Optional<KindType> type = kinds.find(resource.apiVersion(), resource.kind());
            Shape shape = type.map(KindType::shape).orElse(Scalar.ANY);
            type.ifPresent(found -> known.put(resource.id(), found));
            if (!Blueprint.isTaken(resource.id())) {
                ids.put(resource.id(), resource.isCollection() ? new ListOf(shape) : shape);
            }
        }
        Map<String, CheckedResource> resources = new HashMap<>();
        blueprint.resources().forEach(resource -> resources.put(resource.id(), check(resource)));
        Map<SourceNode, CheckedText> status = new HashMap<>();
        ObjectNode statusSchema = status(status);
        List<Formula> conditions = conditionsOfStatus();
        List<CheckedResource> ordered = order.order(problems).stream()
                .flatMap(id -> Optional.ofNullable(resources.get(id)).stream())
                .toList();
        Shape self = self(statusSchema);
        if (blueprint.plans().stream().anyMatch(Plan::beginsByItself)) {
            statusSchema.withObjectProperty("properties").set("plans", ownPlans());
        }
        return new CheckedBlueprint(
                blueprint,
                ordered,
                blueprint.plans().stream().map(plan -> check(plan, self)).toList(),
                instance,
                self,
                status,
                conditions,
                statusSchema);
    }

    private List<Formula> conditionsOfStatus() {
        ExpressionScope scope = ofStatus().ofConditions();
        List<Formula> formulas = new ArrayList<>();
        for (SourceNode written : blueprint.schema().conditions()) {
            if (written.isText()) {
                standalone("", written, scope, this::newConditionFlaw).ifPresent(formulas::add);
            } else {
                problems.add(written.place(), "must be one expression, ${…}, and is " + written.shown());
            }
        }
        Map<String, Formula> made = new LinkedHashMap<>();
        for (Formula formula : formulas) {
            for (String type : Set.copyOf(ConditionFunctions.typesMade(formula.expression()))) {
                if (made.putIfAbsent(type, formula) != null) {
                    problems.add(formula.place(), "two conditions have the type '" + type + "'");
                }
            }
        }
        if (made.containsKey("Ready") && made.containsKey("ResourcesReady")) {
            problems.add(
                    made.get("ResourcesReady").place(),
                    "'ResourcesReady' is the operator's own condition where the Blueprint makes 'Ready': choose another"
                            + " type");
        }
        formulas.forEach(formula -> ConditionFunctions.typesRead(formula.expression()).stream()
                .filter(made::containsKey)
                .forEach(type -> problems.add(
                        formula.place(),
                        "'" + type + "' is a condition that the Blueprint itself makes: one cannot read another")));
        return List.copyOf(formulas);
    }

    private String newConditionFlaw(CelType type) {
        CelType item = type instanceof ListType list ? list.elemType() : type;
        return item.equals(types.type(ConditionFunctions.CONDITION))
                ? ""
                : "is " + fit.words(type)
                        + "; it needs a condition, or a list of them: runtime.newCondition({…}) makes one";
    }

    /** An instance with its status. */
    private Shape self(ObjectNode statusSchema) {
        Map<String, Shape> fields = new LinkedHashMap<>(instance.fields());
        fields.put("status", SchemaShapes.ofDefinition().shape(statusSchema.deepCopy(), "self.status"));
        return new ObjectOf("self", () -> fields);
    }

    /** What the status keeps of plans that begin by themselves. */
    private static ObjectNode ownPlans() {
        ObjectNode plans = JsonNodeFactory.instance.objectNode().put("type", "object");
        ObjectNode fields = plans.putObject("properties");
        fields.putObject("spec").put("type", "object").put("x-kubernetes-preserve-unknown-fields", true);
        fields.putObject("begun").put("type", "integer").put("format", "int64");
        fields.putObject("run").put("type", "string");
        fields.putObject("deleted").put("type", "boolean");
        ObjectNode next = fields.putObject("next").put("type", "array");
        ObjectNode call = next.putObject("items").put("type", "object").putObject("properties");
        call.putObject("plan").put("type", "string");
        texts(call.putObject("parameters"));
        texts(fields.putObject("holding").put("type", "object").putObject("additionalProperties"));
        return plans;
    }

    private static void texts(ObjectNode map) {
        map.put("type", "object").putObject("additionalProperties").put("type", "string");
    }

    private CheckedResource check(BlueprintResource resource) {
        Map<String, Shape> others = new LinkedHashMap<>();
        others.put("schema", instance);
        ids.forEach((id, shape) -> {
            if (!id.equals(resource.id())) {
                others.put(id, shape);
            }
        });
        ExpressionScope scope = new ExpressionScope(
                types,
                others,
                Map.of(resource.id(), "'" + resource.id() + "' refers to itself; only its readyWhen may"));
        List<Formula> includeWhen = conditions(resource, resource.includeWhen(), scope);
        List<CheckedResource.Iterator> forEach = new ArrayList<>();
        Map<String, Shape> variables = new LinkedHashMap<>();
        for (BlueprintResource.Iterator iterator : resource.forEach()) {
            Optional<Formula> list = standalone(resource.id(), iterator.list(), scope, this::listFlaw);
            Shape item =
                    list.map(formula -> itemOf(formula.expression().type())).orElse(Scalar.ANY);
            variables.put(iterator.name(), item);
            list.ifPresent(formula -> forEach.add(new CheckedResource.Iterator(iterator.name(), formula, item)));
        }
        Shape shape = kind(resource).map(KindType::shape).orElse(Scalar.ANY);
        Map<SourceNode, CheckedText> texts = new HashMap<>();
        Shape wanted = resource.external() ? new ObjectOf("an externalRef", () -> REFERENCE) : shape;
        ExpressionScope ofFields = variables.isEmpty() ? scope : scope.with(variables);
        identify(resource.body(), "name");
        if (!blueprint.schema().namespaced()
                && kind(resource).filter(KindType::namespaced).isPresent()) {
            identify(resource.body(), "namespace");
        }
        walk(resource.id(), resource.body(), wanted, ofFields.ofTemplate(), texts);
        checkSelector(resource);
        kind(resource).ifPresent(kind -> checkNamespace(kind, resource.kind(), resource.body()));
        new TemplateMetadata(resource, problems)
                .check(kind(resource).map(KindType::namespaced).orElse(true), texts);
        return new CheckedResource(
                resource,
                kind(resource),
                shape,
                includeWhen,
                conditions(resource, resource.readyWhen(), ownScope(resource, shape)),
                forEach,
                texts,
                order.readBy(resource.id()));
    }

    private void identify(SourceNode body, String field) {
        SourceNode node = body.at("metadata", field);
        if (node != null) {
            identities.add(node);
        }
    }

    private CheckedPlan check(Plan plan, Shape self) {
        Map<String, Shape> before = new LinkedHashMap<>(ids);
        before.put("self", self);
        before.put("oldSelf", oldSelf());
        ExpressionScope triggers =
                new ExpressionScope(types, before, Map.of("schema", "here the instance is called 'self'"));
        Map<SourceNode, CheckedText> parameters = new HashMap<>();
        plan.parameters().values().forEach(text -> walk("", text, Scalar.TEXT, triggers, parameters));
        Map<String, Shape> variables = new LinkedHashMap<>(ids);
        variables.put("schema", instance);
        variables.put("run", RUN);
        ExpressionScope scope = new ExpressionScope(types, variables, Map.of());
        Map<String, CheckedStep> steps = new LinkedHashMap<>();
        plan.steps().forEach(step -> steps.put(step.name(), check(step, scope)));
        return new CheckedPlan(
                plan,
                plan.trigger().flatMap(written -> standalone("", written, triggers, this::conditionFlaw)),
                parameters,
                steps);
    }

    /** What is known of an instance as it was. */
    private Shape oldSelf() {
        return new ObjectOf("oldSelf", () -> Map.of("spec", instance.fields().getOrDefault("spec", Scalar.ANY)));
    }

    private CheckedStep check(Plan.Step step, ExpressionScope scope) {
        Map<SourceNode, CheckedText> texts = new HashMap<>();
        if (step.action() == Plan.Action.WAIT) {
            return new CheckedStep(
                    step, Optional.empty(), texts, standalone("", step.body(), scope, this::conditionFlaw));
        }
        boolean job = step.action() == Plan.Action.JOB;
        String apiVersion = job ? "batch/v1" : step.body().text("apiVersion");
        String kind = job ? "Job" : step.body().text("kind");
        Optional<KindType> known = kinds.find(apiVersion, kind);
        identify(step.body(), "name");
        walk("", step.body(), known.map(KindType::shape).orElse(Scalar.ANY), scope.ofTemplate(), texts);
        if (job) {
            checkNamespaceOfJob(step.body());
        } else {
            known.ifPresent(type -> checkNamespace(type, kind, step.body()));
        }
        return new CheckedStep(step, Optional.of(KindType.served(apiVersion, kind, known)), texts, Optional.empty());
    }

    private ExpressionScope ownScope(BlueprintResource resource, Shape shape) {
        String own = resource.isCollection() ? "each" : resource.id();
        String only = "readyWhen may refer to '" + own + "' only";
        Map<String, String> refused = new HashMap<>();
        refused.put("schema", only);
        ids.keySet().forEach(id -> refused.put(id, only));
        return new ExpressionScope(types, Map.of(own, shape), refused);
    }

    private Optional<KindType> kind(BlueprintResource resource) {
        return Optional.ofNullable(known.get(resource.id()));
    }

    /** One with expressions is looked at when it is rendered. */
    private void checkSelector(BlueprintResource resource) {
        SourceNode selector = resource.external() ? resource.body().at("metadata", "selector") : null;
        if (selector == null
                || ShapeFit.deepFlaw(selector.json(), LabelSelectors.SHAPE, "").isPresent()) {
            return;
        }
        if (!TextParts.hasExpressions(selector.json().toString())) {
            LabelSelectors.flaw(selector.json()).ifPresent(flaw -> problems.add(selector.place(), flaw));
        }
    }

    /** It belongs to its run, which a reference across namespaces cannot say. */
    private void checkNamespaceOfJob(SourceNode body) {
        SourceNode namespace = body.at("metadata", "namespace");
        boolean own = namespace != null && blueprint.schema().namespaced() && CheckedResource.isOwnNamespace(namespace);
        if (namespace != null && !own) {
            problems.add(
                    namespace.keyPlace(), "the field 'namespace' is not allowed: a Job is in the namespace of its run");
        }
    }

    private void checkNamespace(KindType kind, String name, SourceNode body) {
        SourceNode metadata = body.at("metadata");
        if (metadata == null) {
            return;
        }
        SourceNode namespace = metadata.at("namespace");
        if (kind.namespaced()) {
            if (!blueprint.schema().namespaced() && namespace == null && metadata.at("selector") == null) {
                problems.add(
                        metadata.keyPlace(),
                        "the field 'namespace' is missing: instances are in none, and a " + name + " is in one");
            }
        } else if (namespace != null) {
            problems.add(namespace.keyPlace(), "the field 'namespace' is not allowed: a " + name + " is in none");
        }
    }

    private List<Formula> conditions(BlueprintResource resource, List<SourceNode> nodes, ExpressionScope scope) {
        return nodes.stream()
                .flatMap(node -> standalone(resource.id(), node, scope, this::conditionFlaw).stream())
                .toList();
    }

    private String conditionFlaw(CelType type) {
        return fit.fits(type, Scalar.BOOLEAN) ? "" : "is " + fit.words(type) + "; a condition needs a boolean";
    }

    private String listFlaw(CelType type) {
        return type instanceof ListType || type.kind() == CelKind.DYN
                ? ""
                : "is " + fit.words(type) + "; forEach needs a list";
    }

    private Shape itemOf(CelType type) {
        return type instanceof ListType list ? types.shape(list.elemType()) : Scalar.ANY;
    }

    private String flaw(CelType found, Shape wanted) {
        return fit.fits(found, wanted) ? "" : "is " + fit.words(found) + "; the field needs " + wanted.words();
    }

    private Optional<Formula> standalone(
            String reader, SourceNode node, ExpressionScope scope, Function<CelType, String> flaw) {
        TextParts parts = TextParts.of(node.text());
        if (!parts.flaw().isEmpty()) {
            problems.add(node.within(node.text().substring(parts.flawAt()), parts.flawAt()), parts.flaw());
            return Optional.empty();
        }
        if (!parts.isStandalone()) {
            problems.add(node.place(), "must be one expression, ${…}, and is " + Shown.quoted(node.text()));
            return Optional.empty();
        }
        return compile(reader, node, parts.parts().get(0), scope, flaw);
    }

    private Optional<Formula> compile(
            String reader, SourceNode node, Part part, ExpressionScope scope, Function<CelType, String> flaw) {
        String firstLine = part.text().lines().findFirst().orElse("");
        Place place = firstLine.isBlank() ? node.place() : node.within(firstLine, part.offset());
        Optional<Formula> formula = scope.compile(part.text(), place, at -> place(node, part, at), flaw, problems);
        formula.map(Formula::names).orElseGet(() -> scope.names(part.text())).stream()
                .filter(name -> !name.equals(reader))
                .forEach(name -> order.add(reader, name, place));
        return formula;
    }

    /** Of the word of an expression that a character is in, or that is next to it. */
    private static Place place(SourceNode node, Part part, int at) {
        String code = part.text();
        int from = at;
        while (from < code.length() && Character.isWhitespace(code.charAt(from))) {
            from++;
        }
        for (from = Math.min(from, code.length() - 1); Character.isWhitespace(code.charAt(from)); from--) {
            // There is a word: an expression is not blank.
        }
        String word = code.substring(from).split("\\s", 2)[0];
        return node.within(word, part.offset() + from);
    }

    private void walk(
            String reader, SourceNode node, Shape wanted, ExpressionScope scope, Map<SourceNode, CheckedText> texts) {
        if (node.isText() && TextParts.hasExpressions(node.text())) {
            text(reader, node, wanted, scope).ifPresent(text -> texts.put(node, text));
            return;
        }
        if (node.isMap() && !(wanted instanceof ListOf)) {
            node.entries().forEach(field -> {
                if (TextParts.hasExpressions(field.getKey())) {
                    problems.add(field.getValue().keyPlace(), "there can be no expression in the name of a field");
                }
                below(field.getKey(), wanted, field.getValue())
                        .ifPresent(shape -> walk(reader, field.getValue(), shape, scope, texts));
            });
        }
        if (node.isList()) {
            Shape items = wanted instanceof ListOf list ? list.items() : Scalar.ANY;
            node.items().forEach(item -> walk(reader, item, items, scope, texts));
        }
        ShapeFit.flaw(node.json(), wanted).ifPresent(flaw -> problems.add(node.place(), flaw));
    }

    private Optional<Shape> below(String field, Shape wanted, SourceNode value) {
        if (wanted instanceof MapOf map) {
            return Optional.of(map.values());
        }
        if (wanted instanceof ObjectOf object) {
            Shape shape = object.fields().get(field);
            if (shape == null) {
                problems.add(value.keyPlace(), "unknown field of " + object.words() + near(field, object));
            }
            return Optional.ofNullable(shape);
        }
        return Optional.of(Scalar.ANY);
    }

    private static String near(String field, ObjectOf object) {
        String names = object.fields().keySet().stream()
                .filter(name -> name.equalsIgnoreCase(field)
                        || name.equals(field + "s")
                        || (name + "s").equals(field)
                        || (field.length() > 2 && name.startsWith(field.substring(0, 3))))
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : "; there is " + names;
    }

    private Optional<CheckedText> text(String reader, SourceNode node, Shape wanted, ExpressionScope scope) {
        TextParts parts = TextParts.of(node.text());
        if (!parts.flaw().isEmpty()) {
            problems.add(node.within(node.text().substring(parts.flawAt()), parts.flawAt()), parts.flaw());
            return Optional.empty();
        }
        boolean standalone = parts.isStandalone();
        if (!standalone && !(wanted instanceof Scalar scalar && TEXTS.contains(scalar))) {
            problems.add(node.place(), "expressions within a text make a string; the field needs " + wanted.words());
            return Optional.empty();
        }
        ExpressionScope allowed = standalone && !identities.contains(node) ? scope : scope.ofParts();
        List<CheckedText.Part> checked = new ArrayList<>();
        for (Part part : parts.parts()) {
            if (!part.expression()) {
                checked.add(new Copied(part.text()));
                continue;
            }
            compile(reader, node, part, allowed, type -> standalone ? flaw(type, wanted) : partFlaw(type))
                    .ifPresent(formula -> checked.add(new Evaluated(formula)));
        }
        return checked.size() == parts.parts().size()
                ? Optional.of(new CheckedText(List.copyOf(checked), standalone, wanted))
                : Optional.empty();
    }

    private String partFlaw(CelType type) {
        return fit.fits(type, Scalar.TEXT) && type.kind() != CelKind.TIMESTAMP && type.kind() != CelKind.DURATION
                ? ""
                : "is " + fit.words(type) + "; within a text it must be a string: string(…) makes one";
    }

    private ExpressionScope ofStatus() {
        return new ExpressionScope(
                types,
                ids,
                Map.of(
                        "schema",
                        "expressions of the status may refer to resources only; allowed: "
                                + (ids.isEmpty() ? "no variable" : String.join(", ", ids.keySet()))));
    }

    private ObjectNode status(Map<SourceNode, CheckedText> texts) {
        Shape wanted = blueprint
                .schema()
                .statusSchema()
                .map(schema -> SchemaShapes.ofDefinition().shape(schema, "schema.status"))
                .orElse(Scalar.ANY);
        ExpressionScope scope = ofStatus();
        Map<String, SourceNode> fields = blueprint.schema().statusFields();
        fields.forEach(
                (name, node) -> below(name, wanted, node).ifPresent(shape -> walk("", node, shape, scope, texts)));
        ObjectNode inferred = new StatusSchema(types, texts).of(fields);
        return blueprint
                .schema()
                .statusSchema()
                .map(schema -> (ObjectNode) schema.deepCopy())
                .orElse(inferred);
    }
}
