package io.busbar.sandbox.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.CompilationException;
import io.busbar.cel.SchemaTypes;
import io.busbar.cel.SchemaValues;
import io.busbar.cel.StepBudget;
import io.busbar.sandbox.schema.Correlation;
import io.busbar.sandbox.schema.StructuralSchema;
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
 * <p>Any thread. What was wrong before and has not changed is let pass, as Kubernetes does since 1.30, unless the rule
 * cannot be asked at all.
 */
public final class RuleSet {

    private static final Logger log = LoggerFactory.getLogger(RuleSet.class);

    private final JsonNode schema;
    private final StructuralSchema structure;
    private final List<CompiledRule> rules = new ArrayList<>();
    private final Map<String, RuleSet> properties = new LinkedHashMap<>();
    private final @Nullable RuleSet additional;
    private final @Nullable RuleSet items;

    private RuleSet(JsonNode schema, StructuralSchema structure, boolean resource) {
        this.schema = schema;
        this.structure = structure;
        JsonNode written = schema.path("x-kubernetes-validations");
        if (!written.isEmpty()) {
            RuleCompiler compiler = new RuleCompiler(schema, resource);
            written.forEach(rule -> add(rule, compiler));
        }
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            RuleSet below = below(property.getValue(), structure.property(property.getKey()));
            if (below != null) {
                properties.put(property.getKey(), below);
            }
        }
        this.additional = below(schema.path("additionalProperties"), structure.additionalProperties());
        this.items = below(schema.path("items"), structure.items());
    }

    /**
     * Those of a schema of custom resources; null when there are none.
     *
     * @param structure the same schema, compiled
     */
    public static @Nullable RuleSet of(JsonNode openAPIV3Schema, StructuralSchema structure) {
        RuleSet rules = new RuleSet(openAPIV3Schema, structure, true);
        return rules.isEmpty() ? null : rules;
    }

    /** Those of the schema of a default, empty ones too. */
    public static RuleSet ofDefault(JsonNode schema, boolean resource) {
        return new RuleSet(schema, StructuralSchema.of(schema), resource || SchemaTypes.isEmbedded(schema));
    }

    /** What a default breaks that is found at a path. It is compared with itself. */
    public List<FieldCause> check(String path, JsonNode standard) {
        Run run = new Run();
        check(path, standard, standard, null, run);
        return run.causes.list();
    }

    /** What an object breaks. {@code before} is null for a new one. */
    public List<FieldCause> check(ObjectNode object, @Nullable ObjectNode before) {
        return run(object, before).causes.list();
    }

    /** What an object breaks that has broken it before, as nothing changed there: it is let pass. */
    public List<FieldCause> tolerated(ObjectNode object, ObjectNode before) {
        return run(object, before).tolerated.list();
    }

    private Run run(ObjectNode object, @Nullable ObjectNode before) {
        Run run = new Run();
        check("", object, before, before == null ? null : new Counterpart(object, before, structure), run);
        return run;
    }

    /** One look at an object. One thread. */
    private static final class Run {

        private final StepBudget budget = new StepBudget(StepBudget.OF_OBJECT);
        private final Causes causes = new Causes();
        private final Causes tolerated = new Causes();
    }

    /** What a value was before; of one that has no such, what the nearest was that holds it. */
    private record Counterpart(JsonNode value, JsonNode before, StructuralSchema structure) {

        boolean isSame() {
            return Correlation.same(value, before, structure);
        }

        @SuppressWarnings("ReferenceEquality") // The very part, not one like it.
        Counterpart below(JsonNode holder, JsonNode part, @Nullable JsonNode was, @Nullable StructuralSchema its) {
            return holder != value || was == null || its == null ? this : new Counterpart(part, was, its);
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

    private static @Nullable RuleSet below(JsonNode schema, @Nullable StructuralSchema structure) {
        if (structure == null) {
            return null;
        }
        RuleSet below = new RuleSet(schema, structure, SchemaTypes.isEmbedded(schema));
        return below.isEmpty() ? null : below;
    }

    private boolean isEmpty() {
        return rules.isEmpty() && properties.isEmpty() && additional == null && items == null;
    }

    private void check(
            String path, JsonNode value, @Nullable JsonNode old, @Nullable Counterpart counterpart, Run run) {
        if (value.isNull()) {
            return;
        }
        if (!rules.isEmpty()) {
            Object self = SchemaValues.of(value, schema);
            Object oldSelf = old == null || old.isNull() ? null : SchemaValues.of(old, schema);
            boolean same = counterpart != null && counterpart.isSame();
            for (CompiledRule rule : rules) {
                if (run.budget.isSpent()) {
                    spent(path, run.causes);
                    return;
                }
                Causes broken = same && !rule.usesOldSelf() ? run.tolerated : run.causes;
                rule.check(path, value, self, oldSelf, run.budget, run.causes, broken);
            }
        }
        if (value.isObject()) {
            checkFields(path, value, old, counterpart, run);
        } else if (items != null && value.isArray()) {
            checkItems(path, value, old, counterpart, run);
        }
    }

    private void spent(String path, Causes causes) {
        causes.invalid(
                path.isEmpty() ? "<nil>" : path,
                schema.path("type").asText(""),
                "validation failed due to running out of cost budget, no further validation rules will be run");
    }

    private void checkFields(
            String path, JsonNode value, @Nullable JsonNode old, @Nullable Counterpart counterpart, Run run) {
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            String name = field.getKey();
            RuleSet below = properties.getOrDefault(name, additional);
            if (below != null) {
                String at = additional == null ? (path.isEmpty() ? "" : path + ".") + name : path + "[" + name + "]";
                Counterpart its = counterpart == null
                        ? null
                        : counterpart.below(value, field.getValue(), counterpart.before.get(name), below.structure);
                below.check(at, field.getValue(), old == null ? null : old.get(name), its, run);
            }
        }
    }

    /** Only the items of lists that are maps have an {@code oldSelf}. */
    private void checkItems(
            String path, JsonNode value, @Nullable JsonNode old, @Nullable Counterpart counterpart, Run run) {
        RuleSet below = items;
        boolean map = structure.listType() == StructuralSchema.ListType.MAP;
        for (int i = 0; below != null && i < value.size(); i++) {
            Counterpart its = counterpart == null
                    ? null
                    : counterpart.below(
                            value,
                            value.get(i),
                            Correlation.item(value, i, counterpart.before, structure),
                            below.structure);
            JsonNode before = map ? Correlation.item(value, i, old, structure) : null;
            below.check(path + "[" + i + "]", value.get(i), before, its, run);
        }
    }
}
