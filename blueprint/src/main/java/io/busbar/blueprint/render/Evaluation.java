package io.busbar.blueprint.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Suppliers;
import io.busbar.blueprint.check.CheckedText;
import io.busbar.blueprint.check.CheckedText.Copied;
import io.busbar.blueprint.check.CheckedText.Evaluated;
import io.busbar.blueprint.check.Formula;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.Shown;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.blueprint.types.GoJson;
import io.busbar.blueprint.types.Shape;
import io.busbar.blueprint.types.ShapeFit;
import io.busbar.blueprint.types.ShapeValues;
import io.busbar.cel.Expression.Outcome;
import io.busbar.cel.StepBudget;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Evaluates expressions about one instance, within a budget for all of them.
 *
 * <p>One thread. An expression that reads resources waits where a field, an entry or an item is not there; any other
 * one is wrong then.
 */
final class Evaluation {

    /** Ends the evaluation of a resource that cannot go on. */
    static final class Stopped extends Exception {

        private static final long serialVersionUID = 1;

        private final boolean waiting;

        Stopped(boolean waiting, String message) {
            super(message, null, false, false);
            this.waiting = waiting;
        }

        /** Whether it is only a matter of time; else the problems say what is wrong. */
        boolean isWaiting() {
            return waiting;
        }

        String why() {
            return String.valueOf(getMessage());
        }
    }

    /** Fewer than a rule of a schema may take: an instance has many expressions, and its worker has other instances. */
    private static final long STEPS_OF_EXPRESSION = 100_000;

    private static final long STEPS_OF_INSTANCE = 2_000_000;
    private static final JsonNode ABSENT = JsonNodeFactory.instance.missingNode();

    private final Problems problems;
    private final StepBudget budget;
    private final Set<String> resources;
    private final Map<String, Variable> variables = new HashMap<>();

    /** One that is made into a value of CEL when an expression needs that: most need none. */
    private static final class Variable {

        private final JsonNode json;
        private final Supplier<Object> value;

        Variable(JsonNode json, Shape shape) {
            this.json = json;
            this.value = Suppliers.memoize(() -> ShapeValues.of(json, shape));
        }
    }

    /** @param resources the ids of all */
    Evaluation(Problems problems, Set<String> resources) {
        this(problems, resources, new StepBudget(STEPS_OF_INSTANCE, STEPS_OF_EXPRESSION));
    }

    private Evaluation(Problems problems, Set<String> resources, StepBudget budget) {
        this.problems = problems;
        this.resources = resources;
        this.budget = budget;
    }

    /** The same with variables of its own, which takes from the same budget. */
    Evaluation inner() {
        return copy(problems, resources);
    }

    /** The same with names more that may stand for what is not there yet. */
    Evaluation alsoOf(String... names) {
        Set<String> all = new HashSet<>(resources);
        all.addAll(List.of(names));
        return copy(problems, all);
    }

    /** The same, which tells others of what fails. */
    Evaluation telling(Problems others) {
        return copy(others, resources);
    }

    private Evaluation copy(Problems told, Set<String> ids) {
        Evaluation copy = new Evaluation(told, ids, budget);
        copy.variables.putAll(variables);
        return copy;
    }

    void set(String variable, JsonNode value, Shape shape) {
        variables.put(variable, new Variable(value, shape));
    }

    /** Whether all conditions hold. */
    boolean holds(Iterable<Formula> conditions) throws Stopped {
        for (Formula condition : conditions) {
            JsonNode value = value(condition);
            if (!value.isBoolean()) {
                throw wrong(condition, "is " + shown(value) + "; a condition needs a boolean");
            }
            if (!value.booleanValue()) {
                return false;
            }
        }
        return true;
    }

    /** What an expression comes to; null for an optional value that is none, missing for one that omits itself. */
    JsonNode value(Formula formula) throws Stopped {
        if (budget.isSpent()) {
            throw wrong(formula, "is not evaluated: the expressions of the instance take too many steps");
        }
        Set<String> paths = formula.expression().paths();
        boolean readsResources = false;
        for (String path : paths) {
            String id = Formula.root(path);
            if (resources.contains(id)) {
                readsResources = true;
                if (!variables.containsKey(id)) {
                    throw new Stopped(true, "'" + id + "' is not there");
                }
            }
        }
        Optional<JsonNode> selected = selected(formula.selected());
        if (selected.isPresent()) {
            budget.spend(formula.selected().size());
            return selected.get();
        }
        Map<String, Object> values = new HashMap<>();
        for (String path : paths) {
            Variable variable = variables.get(Formula.root(path));
            if (variable != null) {
                values.put(Formula.root(path), variable.value.get());
            }
        }
        Outcome outcome = formula.expression().evaluateToJson(values, budget);
        if (!outcome.failed()) {
            return (JsonNode) outcome.value();
        }
        String error = outcome.error();
        boolean ofTypes = error.startsWith("no such overload");
        boolean absent = error.startsWith("no such key")
                || error.startsWith("index out of")
                || error.startsWith("optional.none()")
                || (ofTypes && paths.stream().anyMatch(this::isNull));
        if (absent && readsResources) {
            throw new Stopped(true, Shown.quoted(formula.text()) + " is not known yet: " + error);
        }
        throw wrong(formula, "cannot be evaluated: " + error + (ofTypes ? types(paths) : "") + known(paths));
    }

    /** Without CEL, to which all of a variable would have to be shown; empty for what it may see otherwise. */
    private Optional<JsonNode> selected(List<String> names) {
        Variable variable = names.isEmpty() ? null : variables.get(names.get(0));
        if (variable == null) {
            return Optional.empty();
        }
        JsonNode value = variable.json;
        for (String name : names.subList(1, names.size())) {
            value = value.path(name);
        }
        return value.isTextual() || value.isBoolean() ? Optional.of(value) : Optional.empty();
    }

    private Stopped wrong(Formula formula, String words) {
        problems.add(formula.place(), Shown.quoted(formula.text()) + " " + words);
        return new Stopped(false, words);
    }

    /** The values that an expression has read of the instance, for people; those of resources may be secret. */
    private String known(Set<String> paths) {
        String all = paths.stream()
                .filter(path -> variables.containsKey(Formula.root(path)) && !resources.contains(Formula.root(path)))
                .map(this::known)
                .distinct()
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "" : "; " + all;
    }

    /** The types of the values that an expression has read of resources. */
    private String types(Set<String> paths) {
        String all = paths.stream()
                .filter(path -> variables.containsKey(Formula.root(path)) && resources.contains(Formula.root(path)))
                .map(this::reached)
                .map(reached -> reached.path() + " is " + type(reached.value()))
                .distinct()
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "" : "; " + all;
    }

    private static String type(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "a string";
            case NUMBER -> value.isIntegralNumber() ? "an integer" : "a number";
            case BOOLEAN -> "a boolean";
            case ARRAY -> "a list";
            case OBJECT -> "a map";
            default -> "null";
        };
    }

    /** Whether an expression has read something that is null, or in which something is: it may come to have a value. */
    private boolean isNull(String path) {
        Reached reached = reached(path);
        return resources.contains(Formula.root(path)) && reached.path().equals(path) && hasNull(reached.value());
    }

    private static boolean hasNull(JsonNode value) {
        if (value.isNull()) {
            return true;
        }
        for (JsonNode below : value) {
            if (hasNull(below)) {
                return true;
            }
        }
        return false;
    }

    private String known(String path) {
        Reached reached = reached(path);
        return reached.path() + " is " + shown(reached.value());
    }

    /** As much of a path as there is a value for. */
    private record Reached(String path, JsonNode value) {}

    private Reached reached(String path) {
        String[] names = path.split("\\.", -1);
        StringBuilder reached = new StringBuilder(names[0]);
        Variable variable = variables.get(names[0]);
        JsonNode value = variable == null ? ABSENT : variable.json;
        for (int i = 1; i < names.length && value.has(names[i]); i++) {
            value = value.path(names[i]);
            reached.append('.').append(names[i]);
        }
        return new Reached(reached.toString(), value);
    }

    private static String shown(JsonNode value) {
        return value.isNull() ? "null" : Shown.of(value);
    }

    /** A template with its expressions replaced; what comes to null, or omits itself, is left out. */
    Optional<JsonNode> render(SourceNode node, Map<SourceNode, CheckedText> texts) throws Stopped {
        CheckedText text = texts.get(node);
        if (text != null) {
            return Optional.of(text(text)).filter(value -> !value.isNull() && !value.isMissingNode());
        }
        if (node.isMap()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            for (Map.Entry<String, SourceNode> field : node.entries()) {
                render(field.getValue(), texts).ifPresent(value -> object.set(field.getKey(), value));
            }
            return Optional.of(object);
        }
        if (node.isList()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            for (SourceNode item : node.items()) {
                render(item, texts).ifPresent(array::add);
            }
            return Optional.of(array);
        }
        return Optional.of(node.value());
    }

    private JsonNode text(CheckedText text) throws Stopped {
        if (text.standalone() && text.parts().get(0) instanceof Evaluated evaluated) {
            JsonNode value = GoJson.whole(value(evaluated.formula()));
            Optional<String> flaw =
                    value.isMissingNode() ? Optional.empty() : ShapeFit.deepFlaw(value, text.wanted(), "");
            if (flaw.isPresent()) {
                throw wrong(evaluated.formula(), "does not fit: " + flaw.get());
            }
            return value;
        }
        StringBuilder whole = new StringBuilder();
        for (CheckedText.Part part : text.parts()) {
            if (part instanceof Copied copied) {
                whole.append(copied.text());
            } else if (part instanceof Evaluated evaluated) {
                JsonNode value = value(evaluated.formula());
                if (!value.isTextual()) {
                    throw wrong(
                            evaluated.formula(),
                            "is " + shown(value) + "; within a text it must be a string: string(…) makes one");
                }
                whole.append(value.textValue());
            }
        }
        return JsonNodeFactory.instance.textNode(whole.toString());
    }
}
