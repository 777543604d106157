package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.patch.Equality;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All rules of a schema, in its form.
 *
 * <p>Any thread. What was wrong before and has not changed is let pass, as Kubernetes does since 1.30; so are values that are equal to
 * those they replace.
 */
public final class RuleSet {

    private static final Logger log = LoggerFactory.getLogger(RuleSet.class);

    private final JsonNode schema;
    private final List<CompiledRule> rules = new ArrayList<>();
    private final Map<String, RuleSet> properties = new LinkedHashMap<>();
    private final @Nullable RuleSet additional;
    private final @Nullable RuleSet items;

    private RuleSet(JsonNode schema, boolean resource) {
        this.schema = schema;
        JsonNode written = schema.path("x-kubernetes-validations");
        if (!written.isEmpty()) {
            RuleCompiler compiler = new RuleCompiler(schema, resource);
            written.forEach(rule -> add(rule, compiler));
        }
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            RuleSet below = below(property.getValue());
            if (below != null) {
                properties.put(property.getKey(), below);
            }
        }
        this.additional = below(schema.path("additionalProperties"));
        this.items = below(schema.path("items"));
    }

    /** Those of a schema of custom resources; null when there are none. */
    public static @Nullable RuleSet of(JsonNode openAPIV3Schema) {
        RuleSet rules = new RuleSet(openAPIV3Schema, true);
        return rules.isEmpty() ? null : rules;
    }

    /** Those of the schema of a default, empty ones too. */
    public static RuleSet ofDefault(JsonNode schema, boolean resource) {
        return new RuleSet(schema, resource || SchemaTypes.isEmbedded(schema));
    }

    /** What a default breaks that is found at a path. It is compared with itself. */
    public List<FieldCause> check(String path, JsonNode standard) {
        return new Run(false).of(path, standard, standard, false);
    }

    /** What an object breaks. {@code before} is null for a new one. */
    public List<FieldCause> check(ObjectNode object, @Nullable ObjectNode before) {
        return new Run(false).of("", object, before, before != null && Equality.equal(object, before));
    }

    /** What an object breaks that has broken it before, as nothing changed there: it is let pass. */
    public List<FieldCause> tolerated(ObjectNode object, ObjectNode before) {
        return new Run(true).of("", object, before, Equality.equal(object, before));
    }

    /** One look at an object. One thread. */
    private final class Run {

        /** Whether at what is let pass for having been there, not at the rest. */
        private final boolean old;

        private final StepBudget budget = new StepBudget(StepBudget.OF_OBJECT);
        private final Causes causes = new Causes();

        Run(boolean old) {
            this.old = old;
        }

        List<FieldCause> of(String path, JsonNode value, @Nullable JsonNode before, boolean unchanged) {
            RuleSet.this.check(path, value, before, unchanged, this);
            return causes.list();
        }

        boolean concerns(CompiledRule rule, boolean unchanged) {
            return old == (unchanged && !rule.usesOldSelf());
        }
    }

    /** A rule that does not compile is in no definition but one that an earlier sandbox has kept: it is let be. */
    private void add(JsonNode rule, RuleCompiler compiler) {
        try {
            rules.add(new CompiledRule(SchemaRule.of(rule), schema, compiler));
        } catch (CompilationException e) {
            log.atWarn().addKeyValue("rule", rule.path("rule").asText()).log("a rule is left out: {}", e.getMessage());
        }
    }

    private static @Nullable RuleSet below(JsonNode schema) {
        if (!schema.isObject()) {
            return null;
        }
        RuleSet below = new RuleSet(schema, SchemaTypes.isEmbedded(schema));
        return below.isEmpty() ? null : below;
    }

    private boolean isEmpty() {
        return rules.isEmpty() && properties.isEmpty() && additional == null && items == null;
    }

    private void check(String path, JsonNode value, @Nullable JsonNode old, boolean unchanged, Run run) {
        if (value.isNull()) {
            return;
        }
        if (!rules.isEmpty()) {
            Object self = SchemaValues.of(value, schema);
            Object oldSelf = old == null || old.isNull() ? null : SchemaValues.of(old, schema);
            for (CompiledRule rule : rules) {
                if (run.budget.isSpent()) {
                    spent(path, run.causes);
                    return;
                }
                if (run.concerns(rule, unchanged)) {
                    rule.check(path, value, self, oldSelf, run.budget, run.causes);
                }
            }
        }
        if (value.isObject()) {
            checkFields(path, value, old, unchanged, run);
        } else if (items != null && value.isArray()) {
            checkItems(path, value, old, unchanged, run);
        }
    }

    private void spent(String path, Causes causes) {
        causes.invalid(
                path.isEmpty() ? "<nil>" : path,
                schema.path("type").asText(""),
                "validation failed due to running out of cost budget, no further validation rules will be run");
    }

    private void checkFields(String path, JsonNode value, @Nullable JsonNode old, boolean unchanged, Run run) {
        boolean correlated =
                old != null && !schema.path("x-kubernetes-map-type").asText("").equals("atomic");
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            RuleSet below = properties.getOrDefault(field.getKey(), additional);
            if (below == null) {
                continue;
            }
            String name = additional == null
                    ? (path.isEmpty() ? "" : path + ".") + field.getKey()
                    : path + "[" + field.getKey() + "]";
            JsonNode before = correlated && old != null ? old.get(field.getKey()) : null;
            boolean same = before == null ? unchanged : Equality.equal(field.getValue(), before);
            below.check(name, field.getValue(), before, same, run);
        }
    }

    private void checkItems(String path, JsonNode value, @Nullable JsonNode old, boolean unchanged, Run run) {
        RuleSet below = items;
        for (int i = 0; below != null && i < value.size(); i++) {
            JsonNode item = value.get(i);
            JsonNode before = old == null ? null : counterpart(item, old);
            boolean same = before == null ? unchanged : Equality.equal(item, before);
            below.check(path + "[" + i + "]", item, before, same, run);
        }
    }

    /** Only the items of lists that are maps can be told to be the same as before. */
    private @Nullable JsonNode counterpart(JsonNode item, JsonNode old) {
        JsonNode keys = schema.path("x-kubernetes-list-map-keys");
        if (!schema.path("x-kubernetes-list-type").asText("").equals("map")) {
            return null;
        }
        for (JsonNode candidate : old) {
            boolean same = true;
            for (JsonNode key : keys) {
                same &= item.path(key.asText()).equals(candidate.path(key.asText()));
            }
            if (same) {
                return candidate;
            }
        }
        return null;
    }
}
