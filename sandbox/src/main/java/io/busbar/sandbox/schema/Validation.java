package io.busbar.sandbox.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.GoText;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Checks a value against a schema, complaint by complaint in the order of the API server. One thread, once. */
final class Validation {

    private final Causes causes = new Causes();

    private Validation() {}

    static List<FieldCause> of(StructuralSchema schema, JsonNode object) {
        Validation validation = new Validation();
        validation.check("", object, schema, true);
        Uniqueness.check("", object, schema, validation.causes);
        return validation.causes.list();
    }

    /** Of a value that is no resource, and is found at a path: the causes name it, their messages do not. */
    static List<FieldCause> ofValue(String path, StructuralSchema schema, JsonNode value) {
        Validation validation = new Validation();
        validation.check("", value, schema, false);
        return validation.causes.list().stream()
                .map(cause -> new FieldCause(
                        cause.reason(), cause.field().isEmpty() ? path : child(path, cause.field()), cause.message()))
                .toList();
    }

    private void check(String path, JsonNode value, StructuralSchema schema, boolean root) {
        if (value.isNull()) {
            if (!schema.isNullable() && !schema.type().isEmpty()) {
                wrongType(path, value, schema.type());
            }
            return;
        }
        checkType(path, value, schema);
        checkAlternatives(path, value, schema.constraints());
        checkScalar(path, value, schema.constraints());
        if (value.isArray()) {
            checkList(path, value, schema);
        }
        checkEnumeration(path, value, schema.constraints());
        if (value.isObject()) {
            checkObject(path, value, schema, root);
        }
    }

    private void checkType(String path, JsonNode value, StructuralSchema schema) {
        if (schema.isIntOrString()) {
            if (!value.isTextual() && !Types.isInteger(value)) {
                wrongType(path, value, "integer,string");
            }
        } else if (!schema.type().isEmpty() && !Types.fits(value, schema.type())) {
            wrongType(path, value, schema.type());
        }
    }

    private void wrongType(String path, JsonNode value, String wanted) {
        String found = Types.nameOf(value);
        causes.invalid(path, found, in(path) + " must be of type " + wanted + ": " + GoText.quote(found));
    }

    private void checkAlternatives(String path, JsonNode value, Constraints constraints) {
        if (!constraints.anyOf().isEmpty()) {
            List<List<FieldCause>> failures = failures(path, value, constraints.anyOf());
            if (failures.size() == constraints.anyOf().size()) {
                alternative(path, "must validate at least one schema (anyOf)");
                causes.addAll(least(failures));
            }
        }
        if (!constraints.oneOf().isEmpty()) {
            List<List<FieldCause>> failures = failures(path, value, constraints.oneOf());
            int valid = constraints.oneOf().size() - failures.size();
            if (valid == 0) {
                alternative(path, "must validate one and only one schema (oneOf). Found none valid");
                causes.addAll(least(failures));
            } else if (valid > 1) {
                alternative(
                        path, "must validate one and only one schema (oneOf). Found " + valid + " valid alternatives");
            }
        }
        List<List<FieldCause>> all = failures(path, value, constraints.allOf());
        if (!all.isEmpty()) {
            all.forEach(causes::addAll);
            alternative(path, "must validate all the schemas (allOf)");
        }
        StructuralSchema not = constraints.not();
        if (not != null && failures(path, value, List.of(not)).isEmpty()) {
            alternative(path, "must not validate the schema (not)");
        }
    }

    /** The field is the API server's own; it has no better one. */
    private void alternative(String path, String complaint) {
        causes.add(FieldCause.invalid("<nil>", "\"\"", GoText.quote(path) + " " + complaint));
    }

    private static List<List<FieldCause>> failures(String path, JsonNode value, List<StructuralSchema> schemas) {
        return schemas.stream()
                .map(schema -> {
                    Validation validation = new Validation();
                    validation.check(path, value, schema, false);
                    return validation.causes.list();
                })
                .filter(list -> !list.isEmpty())
                .toList();
    }

    private static List<FieldCause> least(List<List<FieldCause>> failures) {
        return failures.stream().min(Comparator.comparingInt(List::size)).orElse(List.of());
    }

    private void checkScalar(String path, JsonNode value, Constraints constraints) {
        if (value.isTextual()) {
            checkText(path, value.textValue(), constraints);
        } else if (value.isNumber()) {
            checkNumber(path, value, constraints);
        }
    }

    private void checkText(String path, String text, Constraints constraints) {
        int length = text.codePointCount(0, text.length());
        if (constraints.maxLength() != null && length > constraints.maxLength()) {
            causes.invalid(path, text, in(path) + " should be at most " + constraints.maxLength() + " chars long");
        } else if (constraints.minLength() != null && length < constraints.minLength()) {
            causes.invalid(path, text, in(path) + " should be at least " + constraints.minLength() + " chars long");
        } else if (constraints.pattern() != null
                && !constraints.pattern().matcher(text).find()) {
            causes.invalid(path, text, in(path) + " should match '" + constraints.patternText() + "'");
        }
        if (!Formats.fits(constraints.format(), text)) {
            causes.invalid(
                    path, text, in(path) + " must be of type " + constraints.format() + ": " + GoText.quote(text));
        }
    }

    private void checkNumber(String path, JsonNode value, Constraints constraints) {
        BigDecimal number = value.decimalValue();
        BigDecimal factor = constraints.multipleOf();
        if (factor != null && factor.signum() != 0 && number.remainder(factor).signum() != 0) {
            causes.invalid(path, value, in(path) + " should be a multiple of " + factor.toPlainString());
        }
        BigDecimal maximum = constraints.maximum();
        if (maximum != null && number.compareTo(maximum) > (constraints.exclusiveMaximum() ? -1 : 0)) {
            String words =
                    constraints.exclusiveMaximum() ? " should be less than " : " should be less than or equal to ";
            causes.invalid(path, value, in(path) + words + maximum.toPlainString());
        }
        BigDecimal minimum = constraints.minimum();
        if (minimum != null && number.compareTo(minimum) < (constraints.exclusiveMinimum() ? 1 : 0)) {
            String words = constraints.exclusiveMinimum()
                    ? " should be greater than "
                    : " should be greater than or equal to ";
            causes.invalid(path, value, in(path) + words + minimum.toPlainString());
        }
    }

    private void checkEnumeration(String path, JsonNode value, Constraints constraints) {
        List<JsonNode> allowed = constraints.enumeration();
        if (!allowed.isEmpty() && allowed.stream().noneMatch(one -> Types.equal(one, value))) {
            causes.unsupported(path, value, allowed.stream().map(GoText::plain).toList());
        }
    }

    private void checkList(String path, JsonNode list, StructuralSchema schema) {
        Constraints constraints = schema.constraints();
        StructuralSchema items = schema.items();
        if (items != null) {
            for (int i = 0; i < list.size(); i++) {
                check(path + "[" + i + "]", list.get(i), items, false);
            }
        }
        if (constraints.minItems() != null && list.size() < constraints.minItems()) {
            causes.invalid(
                    path,
                    IntNode.valueOf(list.size()),
                    in(path) + " should have at least " + constraints.minItems() + " items");
        }
        if (constraints.maxItems() != null && list.size() > constraints.maxItems()) {
            causes.invalid(
                    path,
                    IntNode.valueOf(list.size()),
                    in(path) + " should have at most " + constraints.maxItems() + " items");
        }
        if (constraints.uniqueItems() && Uniqueness.hasDuplicates(list)) {
            causes.invalid(path, list, in(path) + " shouldn't contain duplicates");
        }
    }

    /** The value shown for a wrong number of properties is the limit: so it is in the API server. */
    private void checkObject(String path, JsonNode object, StructuralSchema schema, boolean root) {
        Constraints constraints = schema.constraints();
        Integer fewest = constraints.minProperties();
        if (fewest != null && object.size() < fewest) {
            causes.invalid(path, IntNode.valueOf(fewest), in(path) + " should have at least " + fewest + " properties");
            return;
        }
        Integer most = constraints.maxProperties();
        if (most != null && object.size() > most) {
            causes.invalid(path, IntNode.valueOf(most), in(path) + " should have at most " + most + " properties");
            return;
        }
        if (schema.isEmbedded()) {
            checkEmbedded(path, object);
        }
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            StructuralSchema property = schema.properties().getOrDefault(field.getKey(), schema.additionalProperties());
            if (property != null && !(root && field.getKey().equals("metadata"))) {
                check(child(path, field.getKey()), field.getValue(), property, false);
            }
        }
        for (String required : constraints.required()) {
            if (!object.has(required)) {
                causes.required(child(path, required), "");
            }
        }
    }

    private void checkEmbedded(String path, JsonNode object) {
        for (String name : List.of("apiVersion", "kind")) {
            JsonNode value = object.path(name);
            if (!(value instanceof TextNode) || value.textValue().isEmpty()) {
                causes.required(child(path, name), "must not be empty");
            }
        }
    }

    private static String in(String path) {
        return path + " in body";
    }

    static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
