package io.busbar.sandbox.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.model.Field;
import io.busbar.sandbox.model.Type;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.table.Columns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of all types, applied to an object wherever one of these types stands in it.
 *
 * <p>Any thread.
 */
public final class TypeRules {

    /** What is to be done at the values of one type: its own rules, then what stands below. */
    private record Plan(List<FieldRule> rules, List<Field> below, List<FieldRule> fillings, List<Field> filled) {}

    private final Map<String, RulesFile> files = new HashMap<>();
    private final Map<String, Plan> plans = new ConcurrentHashMap<>();

    /** @param files of all rooms; no two speak of the same type */
    public TypeRules(Collection<RulesFile> files) {
        for (RulesFile file : files) {
            for (String head : file.heads()) {
                if (this.files.putIfAbsent(head, file) != null) {
                    throw new IllegalStateException("two rooms have rules of " + head);
                }
            }
        }
    }

    /**
     * Tells what is wrong with an object.
     *
     * @param type such as {@code core.v1.Pod}
     * @param before null for a creation
     */
    public void check(Causes causes, String type, ObjectNode object, @Nullable ObjectNode before) {
        JsonNode old = before == null ? MissingNode.getInstance() : before;
        check(Place.of(causes, type, object, old, this));
    }

    /** Fills in what a client may leave out, in place. */
    public void fill(String type, ObjectNode object) {
        Plan plan = plan(type);
        plan.fillings().forEach(rule -> rule.fill(object));
        for (Field field : plan.filled()) {
            JsonNode value = object.path(field.name());
            if (field.shape() == Field.Shape.ONE) {
                Fields.ifObject(value, one -> fill(field.type(), one));
            } else {
                Fields.each(value, one -> fill(field.type(), one));
            }
        }
    }

    /** The status with which an object of a type begins. */
    public ObjectNode initialStatus(String type) {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        plan(typeOf(type, "status")).rules().stream().filter(FieldRule::initial).forEach(rule -> rule.fill(status));
        return status;
    }

    /** Tells what is wrong with one field of an object. */
    public void checkField(Causes causes, String type, String field, ObjectNode object, @Nullable ObjectNode before) {
        JsonNode old = before == null ? MissingNode.getInstance() : before;
        checkObject(Place.of(causes, type, object, old, this).field(field));
    }

    /** Checks what stands at a place, by the rules of its type, and all below it. */
    public void check(Place place) {
        Plan plan = plan(place.type());
        for (FieldRule rule : plan.rules()) {
            rule.check(place);
        }
        for (Field field : plan.below()) {
            if (place.value().has(field.name()) || field.isStruct()) {
                Place below = place.field(field.name(), field.type());
                if (field.shape() != Field.Shape.ONE) {
                    below.each().forEach(this::checkObject);
                } else {
                    // A struct that is no pointer in Go is there, whether it is said or not.
                    checkObject(field.isStruct() ? below.orEmpty() : below);
                }
            }
        }
    }

    /** @param kind with its group, as in {@code Deployment.apps} */
    Columns columns(String kind) {
        RulesFile file = files.get(RulesFile.COLUMNS + kind);
        return file == null ? Columns.of(List.of(), Map.of()) : file.columns(kind);
    }

    Map<String, RulesFile> files() {
        return files;
    }

    void checkObject(Place place) {
        if (place.value().isObject()) {
            check(place);
        }
    }

    private Plan plan(String type) {
        Plan known = plans.get(type);
        if (known == null) {
            RulesFile file = files.get(type);
            List<FieldRule> rules = file == null ? List.of() : file.rules(type);
            known = new Plan(
                    rules,
                    below(type, rules),
                    rules.stream()
                            .filter(rule -> rule.filling() != null && !rule.initial())
                            .toList(),
                    fields(type).stream()
                            .filter(field -> fills(field.type(), new HashSet<>()))
                            .toList());
            plans.put(type, known);
        }
        return known;
    }

    private List<Field> below(String type, List<FieldRule> rules) {
        List<Field> below = new ArrayList<>();
        for (Field field : fields(type)) {
            boolean skipped = rules.stream().anyMatch(rule -> rule.closes(field.name()));
            if (!skipped && hasRules(field.type(), new HashSet<>())) {
                below.add(field);
            }
        }
        return List.copyOf(below);
    }

    private boolean hasRules(String type, Set<String> seen) {
        return files.containsKey(type)
                || (seen.add(type) && fields(type).stream().anyMatch(field -> hasRules(field.type(), seen)));
    }

    private boolean fills(String type, Set<String> seen) {
        RulesFile file = files.get(type);
        return (file != null && file.fills(type))
                || (seen.add(type) && fields(type).stream().anyMatch(field -> fills(field.type(), seen)));
    }

    /** The type of what a rule of a type speaks of. */
    static String typeAt(String type, String path) {
        String at = type;
        for (String field :
                path.equals("*") ? new String[0] : path.replace("[]", "").split("\\.", -1)) {
            at = typeOf(at, field);
        }
        return at;
    }

    /** The type of a field's value, or of its items or values; empty for one that is not known. */
    static String typeOf(String type, String field) {
        Type known = Type.find(type);
        Field found = known == null ? null : known.field(field);
        return found == null ? "" : found.type();
    }

    static Collection<Field> fields(String type) {
        Type known = Type.find(type);
        return known == null ? List.of() : known.fields().values();
    }
}
