package io.busbar.blueprint;

import io.busbar.blueprint.Plan.Action;
import io.busbar.blueprint.Plan.Phase;
import io.busbar.blueprint.Plan.Step;
import io.busbar.blueprint.source.Fields;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the plans of a Blueprint. One thread. */
final class PlanReader {

    private static final int MOST_STEPS = 100;
    private static final String NAME = "[a-z]([-a-z0-9]{0,28}[a-z0-9])?";
    private static final String PARAMETER = "[A-Za-z][A-Za-z0-9]{0,62}";
    private static final String ACTIONS =
            Stream.of(Action.values()).map(Action::field).collect(Collectors.joining(", "));

    private final Problems problems;

    PlanReader(Problems problems) {
        this.problems = problems;
    }

    List<Plan> plans(List<SourceNode> nodes) {
        Set<String> names = new HashSet<>();
        List<Plan> plans = new ArrayList<>();
        for (SourceNode node : nodes) {
            Fields fields = new Fields(node, problems, "name", "trigger", "parameters", "phases");
            String name = name(fields, node, names);
            Optional<SourceNode> trigger = trigger(fields, name);
            Map<String, SourceNode> parameters = parameters(fields);
            Set<String> steps = new HashSet<>();
            Set<String> phaseNames = new HashSet<>();
            List<Phase> phases = new ArrayList<>();
            for (SourceNode phase : fields.list("phases")) {
                phases.add(phase(phase, phaseNames, steps));
            }
            if (steps.isEmpty()) {
                problems.add(node.place(), "the plan has no steps");
            } else if (steps.size() > MOST_STEPS) {
                problems.add(node.place(), "the plan has more than " + MOST_STEPS + " steps");
            }
            Plan plan = new Plan(name, trigger, parameters, List.copyOf(phases));
            if (!plan.beginsByItself() && !parameters.isEmpty()) {
                problems.add(
                        node.field("parameters").orElse(node).keyPlace(),
                        "only a plan that begins by itself is given parameters: leave them out, or add a trigger");
            }
            plans.add(plan);
        }
        return List.copyOf(plans);
    }

    private Optional<SourceNode> trigger(Fields fields, String plan) {
        Optional<SourceNode> trigger = fields.text("trigger");
        if (Set.of(Plan.DEPLOY, Plan.DELETE).contains(plan)) {
            trigger.ifPresent(written -> problems.add(
                    written.keyPlace(),
                    "the plan '" + plan + "' begins "
                            + (plan.equals(Plan.DEPLOY) ? "when an instance is new" : "before an instance goes")
                            + ": leave the trigger out"));
        }
        return trigger;
    }

    private Map<String, SourceNode> parameters(Fields fields) {
        Map<String, SourceNode> parameters = new LinkedHashMap<>();
        fields.map("parameters")
                .ifPresent(map -> map.entries().forEach(entry -> {
                    if (!entry.getKey().matches(PARAMETER)) {
                        problems.add(
                                entry.getValue().keyPlace(),
                                "'" + entry.getKey()
                                        + "' is not allowed as a parameter; allowed: a word of letters and digits"
                                        + " that begins with a letter");
                    } else if (!entry.getValue().isText()) {
                        problems.add(
                                entry.getValue().place(),
                                "must be a text, and is " + entry.getValue().shown());
                    } else {
                        parameters.put(entry.getKey(), entry.getValue());
                    }
                }));
        return parameters;
    }

    private String name(Fields fields, SourceNode node, Set<String> taken) {
        String name = fields.requiredText("name");
        SourceNode written = node.field("name").orElse(node);
        if (!name.isEmpty() && !taken.add(name)) {
            problems.add(written.place(), "'" + name + "' is there twice");
        }
        if (!name.isEmpty() && !name.matches(NAME)) {
            problems.add(
                    written.place(),
                    "'" + name + "' is not allowed as a name; allowed: up to 30 small letters, digits and '-'");
        }
        return name;
    }

    private Phase phase(SourceNode node, Set<String> names, Set<String> stepNames) {
        Fields fields = new Fields(node, problems, "name", "strategy", "steps");
        String name = name(fields, node, names);
        String strategy = fields.text("strategy").map(SourceNode::text).orElse("serial");
        if (!Set.of("serial", "parallel").contains(strategy)) {
            problems.add(
                    node.field("strategy").orElse(node).place(),
                    "'" + strategy + "' is not allowed; allowed: serial, parallel");
        }
        List<Step> steps = new ArrayList<>();
        for (SourceNode step : fields.list("steps")) {
            step(step, stepNames).ifPresent(steps::add);
        }
        return new Phase(name, strategy.equals("parallel"), List.copyOf(steps));
    }

    private Optional<Step> step(SourceNode node, Set<String> names) {
        List<String> known = new ArrayList<>(List.of("name", "timeoutSeconds"));
        Stream.of(Action.values()).map(Action::field).forEach(known::add);
        Fields fields = new Fields(node, problems, known.toArray(String[]::new));
        String name = name(fields, node, names);
        List<Action> actions = Stream.of(Action.values())
                .filter(action -> node.field(action.field()).isPresent())
                .toList();
        if (actions.size() != 1) {
            problems.add(node.place(), "there must be one of " + ACTIONS);
            return Optional.empty();
        }
        Action action = actions.get(0);
        Optional<SourceNode> body = action == Action.WAIT ? fields.text("wait") : fields.map(action.field());
        if (action != Action.WAIT) {
            body.ifPresent(object -> checkObject(object, action));
        }
        OptionalLong timeout = timeout(node);
        return body.map(written -> new Step(name, action, written, timeout));
    }

    private void checkObject(SourceNode body, Action action) {
        Fields fields = new Fields(body, problems, body.names().toArray(String[]::new));
        for (String field : List.of("apiVersion", "kind")) {
            boolean fixed = action == Action.JOB && body.field(field).isEmpty();
            if (!fixed && fields.requiredText(field).contains("${")) {
                problems.add(body.field(field).orElse(body).place(), "there can be no expression here");
            }
        }
        SourceNode name = body.at("metadata", "name");
        if (action == Action.JOB) {
            if (name != null) {
                problems.add(name.place(), "a Job is named after the run and the step: leave this out");
            }
            return;
        }
        if (name == null) {
            problems.add(body.place(), "the field 'metadata.name' is missing");
        }
        if (action == Action.DELETE) {
            new Fields(body, problems, "apiVersion", "kind", "metadata");
        }
    }

    private OptionalLong timeout(SourceNode node) {
        Optional<SourceNode> written = node.field("timeoutSeconds");
        if (written.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!written.get().value().isIntegralNumber() || written.get().value().longValue() <= 0) {
            problems.add(
                    written.get().place(),
                    "must be a number of seconds, 1 or more, and is "
                            + written.get().shown());
            return OptionalLong.empty();
        }
        return OptionalLong.of(written.get().value().longValue());
    }
}
