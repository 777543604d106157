package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks a value against a schema. What was wrong before and is as it was is let pass, value by value.
 *
 * <p>One thread, once.
 */
final class Validation {

    /** The API server's own for what its checks tell of no field. */
    private static final String NO_FIELD = "<nil>";

    private final List<FieldCause> causes = new ArrayList<>();

    private Validation() {}

    /** @param old null for a new object */
    static List<FieldCause> of(StructuralSchema schema, JsonNode object, @Nullable JsonNode old) {
        Validation validation = new Validation();
        validation.check("", object, old, schema);
        if (old == null || Uniqueness.check("", old, schema).isEmpty()) {
            validation.causes.addAll(Uniqueness.check("", object, schema));
        }
        return validation.causes;
    }

    /** Of a value that is found at a path: the causes name it, their messages do not. */
    static List<FieldCause> ofValue(String path, StructuralSchema schema, JsonNode value, @Nullable JsonNode old) {
        Validation validation = new Validation();
        validation.check("", value, old, schema);
        return validation.causes.stream()
                .map(cause -> new FieldCause(
                        cause.reason(),
                        cause.field().isEmpty() || cause.field().equals(NO_FIELD) ? path : child(path, cause.field()),
                        cause.message()))
                .toList();
    }

    private void check(String path, JsonNode value, @Nullable JsonNode old, StructuralSchema schema) {
        int before = causes.size();
        checkValue(path, value, old, schema);
        if (old != null && causes.size() > before && Correlation.same(value, old, schema)) {
            causes.subList(before, causes.size()).clear();
        }
    }

    private void checkValue(String path, JsonNode value, @Nullable JsonNode old, StructuralSchema schema) {
        if (value.isNull()) {
            if (!schema.isNullable() && !schema.type().isEmpty()) {
                causes.add(wrongType(path, value, schema.type()));
            }
            return;
        }
        checkType(path, value, schema);
        checkAlternatives(path, value, old, schema.constraints());
        if (value.isTextual()) {
            checkText(path, value.textValue(), schema.constraints());
        } else if (value.isNumber()) {
            causes.addAll(NumberCheck.of(path, value, schema));
        }
        if (value.isArray()) {
            checkList(path, value, old, schema);
        }
        checkEnumeration(path, value, schema.constraints());
        if (value.isObject()) {
            checkObject(path, value, old, schema);
        }
    }

    private void checkType(String path, JsonNode value, StructuralSchema schema) {
        if (schema.isIntOrString()) {
            if (!value.isTextual() && !Types.isInteger(value)) {
                causes.add(wrongType(path, value, "integer,string"));
            }
        } else if (!schema.type().isEmpty() && !Types.fits(value, schema.type())) {
            causes.add(wrongType(path, value, schema.type()));
        }
    }

    static FieldCause wrongType(String path, JsonNode value, String wanted) {
        String found = GoText.quote(Types.nameOf(value));
        return FieldCause.wrongType(path, found, path + " in body must be of type " + wanted + ": " + found);
    }

    private void checkAlternatives(String path, JsonNode value, @Nullable JsonNode old, Constraints constraints) {
        if (!constraints.anyOf().isEmpty()) {
            List<List<FieldCause>> failures = failures(path, value, old, constraints.anyOf());
            if (failures.size() == constraints.anyOf().size()) {
                alternative(path, "must validate at least one schema (anyOf)");
                causes.addAll(least(failures));
            }
        }
        if (!constraints.oneOf().isEmpty()) {
            List<List<FieldCause>> failures = failures(path, value, old, constraints.oneOf());
            int valid = constraints.oneOf().size() - failures.size();
            if (valid == 0) {
                alternative(path, "must validate one and only one schema (oneOf). Found none valid");
                causes.addAll(least(failures));
            } else if (valid > 1) {
                alternative(
                        path, "must validate one and only one schema (oneOf). Found " + valid + " valid alternatives");
            }
        }
        List<List<FieldCause>> all = failures(path, value, old, constraints.allOf());
        if (!all.isEmpty()) {
            all.forEach(causes::addAll);
            alternative(path, "must validate all the schemas (allOf)");
        }
        StructuralSchema not = constraints.not();
        if (not != null && failures(path, value, old, List.of(not)).isEmpty()) {
            alternative(path, "must not validate the schema (not)");
        }
    }

    private void alternative(String path, String complaint) {
        causes.add(ofNoField(GoText.quote(path) + " " + complaint));
    }

    static FieldCause ofNoField(String complaint) {
        return FieldCause.invalid(NO_FIELD, "\"\"", complaint);
    }

    private static List<List<FieldCause>> failures(
            String path, JsonNode value, @Nullable JsonNode old, List<StructuralSchema> schemas) {
        return schemas.stream()
                .map(schema -> {
                    Validation validation = new Validation();
                    validation.checkValue(path, value, old, schema);
                    return validation.causes;
                })
                .filter(list -> !list.isEmpty())
                .toList();
    }

    private static List<FieldCause> least(List<List<FieldCause>> failures) {
        return failures.stream().min(Comparator.comparingInt(List::size)).orElse(List.of());
    }

    private void checkText(String path, String text, Constraints constraints) {
        int length = text.codePointCount(0, text.length());
        Integer most = constraints.maxLength();
        if (most != null && length > most) {
            causes.add(FieldCause.tooLong(path, most));
        } else if (constraints.minLength() != null && length < constraints.minLength()) {
            invalid(path, TextNode.valueOf(text), "should be at least " + constraints.minLength() + " chars long");
        } else if (constraints.pattern() != null
                && !constraints.pattern().matcher(text).find()) {
            invalid(path, TextNode.valueOf(text), "should match '" + constraints.patternText() + "'");
        }
        if (!Formats.fits(constraints.format(), text)) {
            String quoted = GoText.quote(text);
            causes.add(FieldCause.wrongType(
                    path, quoted, path + " in body must be of type " + constraints.format() + ": " + quoted));
        }
    }

    private void checkEnumeration(String path, JsonNode value, Constraints constraints) {
        List<JsonNode> allowed = constraints.enumeration();
        if (!allowed.isEmpty() && allowed.stream().noneMatch(one -> Types.equal(one, value))) {
            List<String> shown = allowed.stream()
                    .map(one -> one.isTextual()
                            ? one.textValue()
                            : GoText.inOrder(one).toString())
                    .toList();
            causes.addAll(
                    new Causes().unsupported(path, GoText.inOrder(value), shown).list());
        }
    }

    private void checkList(String path, JsonNode list, @Nullable JsonNode old, StructuralSchema schema) {
        Constraints constraints = schema.constraints();
        StructuralSchema items = schema.items();
        for (int i = 0; items != null && i < list.size(); i++) {
            check(path + "[" + i + "]", list.get(i), Correlation.item(list, i, old, schema), items);
        }
        if (constraints.minItems() != null && list.size() < constraints.minItems()) {
            invalid(path, IntNode.valueOf(list.size()), "should have at least " + constraints.minItems() + " items");
        }
        if (constraints.maxItems() != null && list.size() > constraints.maxItems()) {
            causes.add(FieldCause.tooMany(path, list.size(), constraints.maxItems()));
        }
        if (constraints.uniqueItems() && Uniqueness.hasDuplicates(list)) {
            invalid(path, GoText.inOrder(list), "shouldn't contain duplicates");
        }
    }

    /** The value shown for a wrong number of properties is the limit: so it is in the API server. */
    private void checkObject(String path, JsonNode object, @Nullable JsonNode old, StructuralSchema schema) {
        Constraints constraints = schema.constraints();
        Integer fewest = constraints.minProperties();
        if (fewest != null && object.size() < fewest) {
            invalid(path, IntNode.valueOf(fewest), "should have at least " + fewest + " properties");
            return;
        }
        Integer most = constraints.maxProperties();
        if (most != null && object.size() > most) {
            causes.add(FieldCause.tooMany(path, most, most));
            return;
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            StructuralSchema property = schema.of(field.getKey());
            if (property != null) {
                JsonNode before = old == null ? null : old.get(field.getKey());
                check(child(path, field.getKey()), field.getValue(), before, property);
            }
        }
        for (String required : constraints.required()) {
            if (!object.has(required)) {
                causes.add(FieldCause.required(child(path, required), ""));
            }
        }
    }

    private void invalid(String path, JsonNode value, String complaint) {
        causes.add(FieldCause.invalid(path, GoText.badValue(value), path + " in body " + complaint));
    }

    static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
