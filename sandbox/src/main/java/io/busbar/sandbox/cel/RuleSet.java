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

    /** What an object breaks. {@code before} is null for a new one. */
    public List<FieldCause> check(ObjectNode object, @Nullable ObjectNode before) {
        Causes causes = new Causes();
        check(
                "",
                object,
                before,
                before != null && Equality.equal(object, before),
                new Budget(Budget.OF_OBJECT),
                causes);
        return causes.list();
    }

    /** A rule that does not compile is in no definition but one that an earlier sandbox has kept: it is let be. */
    private void add(JsonNode rule, RuleCompiler compiler) {
        try {
            rules.add(new CompiledRule(Rule.of(rule), schema, compiler));
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

    private void check(
            String path, JsonNode value, @Nullable JsonNode old, boolean unchanged, Budget budget, Causes causes) {
        if (value.isNull()) {
            return;
        }
        if (!rules.isEmpty()) {
            Object self = SchemaValues.of(value, schema);
            Object oldSelf = old == null || old.isNull() ? null : SchemaValues.of(old, schema);
            for (CompiledRule rule : rules) {
                if (budget.isSpent()) {
                    spent(path, causes);
                    return;
                }
                rule.check(path, self, oldSelf, unchanged, budget, causes);
            }
        }
        if (value.isObject()) {
            checkFields(path, value, old, unchanged, budget, causes);
        } else if (items != null && value.isArray()) {
            checkItems(path, value, old, unchanged, budget, causes);
        }
    }

    private void spent(String path, Causes causes) {
        causes.invalid(
                path.isEmpty() ? "<nil>" : path,
                schema.path("type").asText(""),
                "validation failed due to running out of cost budget, no further validation rules will be run");
    }

    private void checkFields(
            String path, JsonNode value, @Nullable JsonNode old, boolean unchanged, Budget budget, Causes causes) {
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
            below.check(name, field.getValue(), before, same, budget, causes);
        }
    }

    private void checkItems(
            String path, JsonNode value, @Nullable JsonNode old, boolean unchanged, Budget budget, Causes causes) {
        RuleSet below = items;
        for (int i = 0; below != null && i < value.size(); i++) {
            JsonNode item = value.get(i);
            JsonNode before = old == null ? null : counterpart(item, old);
            boolean same = before == null ? unchanged : Equality.equal(item, before);
            below.check(path + "[" + i + "]", item, before, same, budget, causes);
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
