package io.busbar.blueprint.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.BlueprintResource;
import io.busbar.blueprint.check.CheckedBlueprint;
import io.busbar.blueprint.check.CheckedPlan;
import io.busbar.blueprint.check.CheckedResource;
import io.busbar.blueprint.check.CheckedText;
import io.busbar.blueprint.check.Formula;
import io.busbar.blueprint.check.LabelSelectors;
import io.busbar.blueprint.render.Evaluation.Stopped;
import io.busbar.blueprint.render.Rendering.Fate;
import io.busbar.blueprint.render.Rendering.PlanCall;
import io.busbar.blueprint.render.Rendering.PlanQuestion;
import io.busbar.blueprint.render.Rendering.Step;
import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.schema.Instances;
import io.busbar.blueprint.source.Place;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.Shown;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.KindType;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.Shape.ListOf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the objects of an instance, as they would be applied next.
 *
 * <p>Any thread. A resource that has been applied is read as it is live, and where it is not live as it was made: it
 * has no status then, so that what reads its status waits, and so does all that reads a resource that is not ready.
 */
public final class Renderer {

    private static final int MOST_ITEMS = 1_000;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final CheckedBlueprint checked;
    private final Set<String> ids;
    private final String ownCondition;

    /** @param checked without problems */
    public Renderer(CheckedBlueprint checked) {
        this.checked = checked;
        this.ids = checked.resources().stream().map(CheckedResource::id).collect(Collectors.toUnmodifiableSet());
        this.ownCondition = checked.ownCondition();
    }

    /** What is wrong with an instance itself. */
    public Problems check(SourceNode instance) {
        Problems problems = new Problems();
        whole(instance, problems);
        return problems;
    }

    /**
     * Puts its defaults into an instance.
     *
     * @return whether it is fine; if not, {@link #check} tells what is wrong with it as it was before
     */
    public boolean complete(ObjectNode instance) {
        Problems problems = new Problems();
        complete(instance, null, problems);
        return problems.isEmpty();
    }

    /**
     * @param instance without problems
     * @param problems takes the expressions that failed, with their places in the Blueprint
     */
    public Rendering render(SourceNode instance, Live live, Problems problems) {
        return render(whole(instance, new Problems()), live, PlanQuestion.NONE, problems);
    }

    /**
     * The same, and which plans are to begin.
     *
     * @param instance that is {@linkplain #complete complete}
     * @param question about plans
     * @param problems as above
     */
    public Rendering render(ObjectNode instance, Live live, PlanQuestion question, Problems problems) {
        return new Run(instance, live, problems).rendering(question);
    }

    /**
     * What steps of plans come to, for an instance as it is now.
     *
     * @param run the variable {@code run}
     */
    public PlanRendering plan(SourceNode instance, Live live, JsonNode run) {
        ObjectNode whole = whole(instance, new Problems());
        Run known = new Run(whole, live, new Problems());
        known.rendering(PlanQuestion.NONE);
        return new PlanRendering(
                known.evaluation, run, whole.path("metadata").path("namespace").asText());
    }

    private ObjectNode whole(SourceNode instance, Problems problems) {
        if (!(instance.json() instanceof ObjectNode whole)) {
            problems.add(instance.place(), "must be an object, and is " + instance.shown());
            return NODES.objectNode();
        }
        complete(whole, instance, problems);
        return whole;
    }

    /** @param source where it was read from; null for what is no text */
    private void complete(ObjectNode whole, @Nullable SourceNode source, Problems problems) {
        InstanceSchema schema = checked.blueprint().schema();
        Place place = source == null ? Place.ofPath("") : source.place();
        if (!whole.path("kind").asText().equals(schema.kind())
                || !whole.path("apiVersion").asText().equals(schema.apiVersion())) {
            problems.add(
                    source == null ? place : source.field("kind").orElse(source).place(),
                    "no instance: apiVersion must be " + schema.apiVersion() + ", and kind " + schema.kind());
        }
        if (whole.path("metadata").path("name").asText().isEmpty()) {
            problems.add(place, "the field 'metadata.name' is missing");
        }
        JsonNode spec = schema.spec();
        if (!whole.has("spec") || whole.path("spec").isNull()) {
            if (schema.specRequired()) {
                problems.add(place, "the field 'spec' is missing");
                return;
            }
            whole.set("spec", spec.has("default") ? spec.path("default").deepCopy() : NODES.objectNode());
        }
        Instances.addDefaults(whole.path("spec"), spec);
        if (source == null) {
            Instances.check(whole.path("spec"), spec, place, problems);
        } else {
            SourceNode written = source.at("spec");
            Instances.check(whole.path("spec"), spec, written == null ? source : written, problems);
        }
        if (schema.namespaced()
                && whole.path("metadata").isObject()
                && !whole.path("metadata").has("namespace")) {
            whole.withObjectProperty("metadata").put("namespace", "default");
        }
    }

    /** Renders one instance. One thread. */
    private final class Run {

        private final ObjectNode instance;
        private final Live live;
        private final Problems problems;
        private final Evaluation evaluation;
        private final Map<String, Step> steps = new HashMap<>();

        Run(ObjectNode instance, Live live, Problems problems) {
            this.instance = instance;
            this.live = live;
            this.problems = problems;
            this.evaluation = new Evaluation(problems, ids);
            evaluation.set("schema", instance, checked.instance());
        }

        Rendering rendering(PlanQuestion question) {
            List<Step> ordered = new ArrayList<>();
            for (CheckedResource resource : checked.resources()) {
                Step step = step(resource);
                steps.put(resource.id(), step);
                ordered.add(step);
            }
            List<String> unknown = new ArrayList<>();
            ObjectNode status = NODES.objectNode();
            checked.blueprint().schema().statusFields().forEach((name, node) -> status(name, node, status, unknown));
            List<String> unknownCalls = new ArrayList<>();
            List<PlanCall> calls = calls(question, status, unknownCalls);
            return new Rendering(
                    List.copyOf(ordered),
                    status,
                    List.copyOf(unknown),
                    new ConditionRendering(evaluation, checked.conditions(), ownCondition),
                    calls,
                    List.copyOf(unknownCalls));
        }

        private List<PlanCall> calls(PlanQuestion question, ObjectNode status, List<String> unknown) {
            List<CheckedPlan> plans = checked.plans().stream()
                    .filter(plan -> question.plans().contains(plan.name()))
                    .toList();
            if (plans.isEmpty()) {
                return List.of();
            }
            ObjectNode self = instance.deepCopy();
            self.set("status", status);
            Evaluation triggers = evaluation.alsoOf("self", "oldSelf");
            triggers.set("self", self, checked.self());
            triggers.set("oldSelf", NODES.objectNode().set("spec", question.oldSpec()), checked.self());
            return plans.stream()
                    .flatMap(plan -> call(plan, triggers, unknown).stream())
                    .toList();
        }

        /** What is not known yet does not hold yet. */
        private boolean holds(CheckedPlan plan, Evaluation triggers) {
            try {
                return triggers.holds(plan.trigger().stream().toList());
            } catch (Stopped e) {
                return false;
            }
        }

        /** @param unknown gets the parameter where it is to begin with what is not known, and why that is so */
        private Optional<PlanCall> call(CheckedPlan plan, Evaluation triggers, List<String> unknown) {
            if (!holds(plan, triggers)) {
                return Optional.empty();
            }
            Map<String, String> parameters = new TreeMap<>();
            for (Map.Entry<String, SourceNode> each : plan.plan().parameters().entrySet()) {
                try {
                    triggers.render(each.getValue(), plan.parameters())
                            .ifPresent(value -> parameters.put(each.getKey(), value.asText()));
                } catch (Stopped e) {
                    unknown.add("the parameter '" + each.getKey() + "' of the plan '" + plan.name() + "' is not known"
                            + (e.isWaiting() ? " yet: " : ": ") + e.why());
                    return Optional.empty();
                }
            }
            return Optional.of(new PlanCall(plan.name(), parameters));
        }

        private Step step(CheckedResource resource) {
            for (String id : resource.dependencies()) {
                Step read = steps.get(id);
                if (read != null && read.fate() == Fate.LEFT_OUT) {
                    return new Step(resource.id(), Fate.LEFT_OUT, List.of(), false, "'" + id + "' is left out");
                }
            }
            try {
                for (Formula condition : resource.includeWhen()) {
                    if (isKnown(condition) && !evaluation.holds(List.of(condition))) {
                        return new Step(
                                resource.id(), Fate.LEFT_OUT, List.of(), false, "its includeWhen does not hold");
                    }
                }
                for (String id : resource.dependencies()) {
                    if (!isReady(id)) {
                        return waiting(resource, "'" + id + "' is not ready");
                    }
                }
                return resource.resource().external() ? read(resource) : made(resource);
            } catch (Stopped e) {
                return waiting(resource, e.isWaiting() ? e.why() : "an expression has failed");
            }
        }

        /** Whether all resources are ready that a condition reads: it need not wait for those that others read. */
        private boolean isKnown(Formula condition) {
            return condition.names().stream().allMatch(name -> !ids.contains(name) || isReady(name));
        }

        private boolean isReady(String id) {
            Step read = steps.get(id);
            return read != null && read.fate() != Fate.WAITING && read.ready();
        }

        private Step waiting(CheckedResource resource, String why) {
            return new Step(resource.id(), Fate.WAITING, List.of(), false, why);
        }

        private Step read(CheckedResource resource) throws Stopped {
            ObjectNode reference = rendered(resource, evaluation);
            JsonNode selector = reference.path("metadata").path("selector");
            if (!selector.isMissingNode()) {
                Optional<String> flaw = LabelSelectors.flaw(selector);
                if (flaw.isPresent()) {
                    SourceNode written = resource.resource().body().at("metadata", "selector");
                    problems.add((written == null ? resource.resource().body() : written).place(), flaw.get());
                    throw new Stopped(false, "a selector is wrong");
                }
                List<JsonNode> found = live.selected(reference);
                return known(resource, Fate.READ, List.of(), found, true);
            }
            Optional<JsonNode> found = live.external(reference);
            return found.isEmpty()
                    ? waiting(
                            resource,
                            "the " + resource.resource().kind() + " "
                                    + Shown.of(reference.path("metadata").path("name")) + " is not there")
                    : known(resource, Fate.READ, List.of(), List.of(found.get()), true);
        }

        private Step made(CheckedResource resource) throws Stopped {
            List<ObjectNode> objects = new ArrayList<>();
            Set<String> names = new HashSet<>();
            for (Evaluation item : items(resource)) {
                ObjectNode object = rendered(resource, item);
                if (!names.add(object.path("metadata").path("namespace").asText() + "/"
                        + object.path("metadata").path("name").asText())) {
                    problems.add(
                            nameOf(resource).place(),
                            "two objects of '" + resource.id() + "' have the name "
                                    + Shown.of(object.path("metadata").path("name")));
                    throw new Stopped(false, "a name is there twice");
                }
                objects.add(object);
            }
            List<JsonNode> seen = new ArrayList<>();
            boolean allLive = true;
            for (ObjectNode object : objects) {
                Optional<JsonNode> found = live.applied(object);
                allLive &= found.isPresent();
                seen.add(found.orElse(object));
            }
            return known(resource, Fate.MADE, List.copyOf(objects), seen, allLive);
        }

        private SourceNode nameOf(CheckedResource resource) {
            SourceNode name = resource.resource().body().at("metadata", "name");
            return name == null ? resource.resource().body() : name;
        }

        /** Makes a resource known to expressions. */
        private Step known(
                CheckedResource resource, Fate fate, List<ObjectNode> objects, List<JsonNode> seen, boolean allLive)
                throws Stopped {
            boolean collection = resource.resource().isCollection();
            ArrayNode all = NODES.arrayNode().addAll(seen);
            Shape shape = collection ? new ListOf(resource.shape()) : resource.shape();
            evaluation.set(resource.id(), collection ? all : all.get(0), shape);
            String why = resource.readyWhen().isEmpty() ? "" : notReady(resource, seen, allLive);
            return new Step(resource.id(), fate, objects, why.isEmpty(), why);
        }

        private String notReady(CheckedResource resource, List<JsonNode> seen, boolean allLive) throws Stopped {
            if (!allLive) {
                return "it has just been applied";
            }
            Evaluation inner = evaluation.inner();
            for (JsonNode each : seen) {
                if (resource.resource().isCollection()) {
                    inner.set("each", each, resource.shape());
                }
                try {
                    if (!inner.holds(resource.readyWhen())) {
                        return "its readyWhen does not hold";
                    }
                } catch (Stopped e) {
                    if (!e.isWaiting()) {
                        throw e;
                    }
                    return e.why();
                }
            }
            return "";
        }

        private List<Evaluation> items(CheckedResource resource) throws Stopped {
            List<Evaluation> all = List.of(evaluation);
            for (CheckedResource.Iterator iterator : resource.forEach()) {
                JsonNode list = evaluation.value(iterator.list());
                if (!list.isArray() || (long) all.size() * list.size() > MOST_ITEMS) {
                    problems.add(
                            iterator.list().place(),
                            Shown.quoted(iterator.list().text())
                                    + (list.isArray()
                                            ? " makes more than " + MOST_ITEMS + " objects"
                                            : " is " + Shown.of(list) + "; forEach needs a list"));
                    throw new Stopped(false, "no list");
                }
                List<Evaluation> more = new ArrayList<>();
                for (Evaluation outer : all) {
                    for (JsonNode value : list) {
                        Evaluation inner = outer.inner();
                        inner.set(iterator.name(), value, iterator.item());
                        more.add(inner);
                    }
                }
                all = more;
            }
            return all;
        }

        private ObjectNode rendered(CheckedResource resource, Evaluation item) throws Stopped {
            BlueprintResource source = resource.resource();
            JsonNode value = item.render(source.body(), resource.texts()).orElseGet(NODES::objectNode);
            ObjectNode object = (ObjectNode) value;
            ObjectNode metadata = object.withObjectProperty("metadata");
            boolean selected = metadata.has("selector");
            if (!selected && metadata.path("name").asText().isEmpty()) {
                problems.add(nameOf(resource).place(), "the name of an object must not be empty");
                throw new Stopped(false, "no name");
            }
            boolean namespaced = resource.type().map(KindType::namespaced).orElse(true);
            String own = instance.path("metadata").path("namespace").asText();
            if (namespaced
                    && !selected
                    && !own.isEmpty()
                    && metadata.path("namespace").asText().isEmpty()) {
                metadata.put("namespace", own);
            }
            if (resource.type().filter(KindType::namespaced).isPresent()
                    && !selected
                    && metadata.path("namespace").asText().isEmpty()) {
                problems.add(source.body().place(), PlanRendering.inNoNamespace(source.kind()));
                throw new Stopped(false, "no namespace");
            }
            return object;
        }

        private void status(String path, SourceNode node, ObjectNode status, List<String> unknown) {
            if (node.isMap()) {
                ObjectNode below = NODES.objectNode();
                node.entries().forEach(field -> status(path + "." + field.getKey(), field.getValue(), below, unknown));
                if (!below.isEmpty() || node.names().isEmpty()) {
                    status.set(path.substring(path.lastIndexOf('.') + 1), below);
                }
                return;
            }
            try {
                Map<SourceNode, CheckedText> texts = checked.status();
                evaluation
                        .render(node, texts)
                        .ifPresent(value -> status.set(path.substring(path.lastIndexOf('.') + 1), value));
            } catch (Stopped e) {
                if (e.isWaiting()) {
                    unknown.add(path + ": " + e.why());
                }
            }
        }
    }
}
