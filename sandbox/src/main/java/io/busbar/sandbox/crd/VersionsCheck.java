package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.cel.SchemaRuleCheck;
import io.busbar.sandbox.schema.SchemaCheck;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import java.util.ArrayList;
import java.util.List;

/**
 * What is wrong with the versions of a definition, each by itself.
 *
 * <p>Immutable. A part that is the same in all versions is checked once, under the name that it has in the API server's own form:
 * {@code spec.validation}, {@code spec.subresources}, {@code spec.additionalPrinterColumns}, {@code spec.selectableFields}.
 */
final class VersionsCheck {

    private static final String COLUMN_TYPES = "must be one of boolean,date,integer,number,string";
    private static final String COLUMN_FORMATS =
            "must be one of binary,bool,byte,date,date-time,datetime,double,float," + "int32,int64,password";

    private final JsonNode versions;
    private final boolean commonSchema;
    private final boolean commonSubresources;
    private final boolean commonColumns;
    private final boolean commonFields;

    VersionsCheck(JsonNode spec) {
        this.versions = spec.path("versions");
        this.commonSchema = isCommon("schema");
        this.commonSubresources = isCommon("subresources");
        this.commonColumns = isCommon("additionalPrinterColumns");
        this.commonFields = isCommon("selectableFields");
    }

    List<FieldCause> missingSchemas() {
        Causes causes = new Causes();
        for (int i = 0; i < versions.size(); i++) {
            if (!schema(versions.path(i)).isObject()) {
                causes.required("spec.versions[" + i + "].schema.openAPIV3Schema", "");
            }
        }
        return causes.list();
    }

    /** What is particular to one version. */
    List<FieldCause> check(int index) {
        JsonNode version = versions.path(index);
        String path = "spec.versions[" + index + "]";
        Causes causes = new Causes();
        deprecation(causes, path, version);
        if (!commonSchema) {
            causes.addAll(schema(path + ".schema", version));
        }
        if (!commonSubresources) {
            scale(causes, path + ".subresources", version);
        }
        if (!commonColumns) {
            columns(causes, path + ".additionalPrinterColumns", version);
        }
        if (!commonFields) {
            causes.addAll(SelectableFieldsCheck.of(path + ".selectableFields", version));
        }
        return causes.list();
    }

    /** What all versions share. */
    List<FieldCause> checkCommon() {
        JsonNode version = versions.path(0);
        Causes causes = new Causes();
        if (commonSchema) {
            causes.addAll(schema("spec.validation", version));
        }
        if (commonSubresources) {
            scale(causes, "spec.subresources", version);
        }
        if (commonColumns) {
            columns(causes, "spec.additionalPrinterColumns", version);
        }
        if (commonFields) {
            causes.addAll(SelectableFieldsCheck.of("spec.selectableFields", version));
        }
        return causes.list();
    }

    private boolean isCommon(String part) {
        for (JsonNode version : versions) {
            if (!version.path(part).equals(versions.path(0).path(part))) {
                return false;
            }
        }
        return true;
    }

    private static JsonNode schema(JsonNode version) {
        return version.path("schema").path("openAPIV3Schema");
    }

    private static List<FieldCause> schema(String path, JsonNode version) {
        JsonNode schema = schema(version);
        if (!schema.isObject()) {
            return List.of();
        }
        String at = path + ".openAPIV3Schema";
        boolean status = version.path("subresources").has("status");
        List<FieldCause> causes = new ArrayList<>(SchemaCheck.of(at, schema, status, DefaultCheck::of));
        causes.addAll(SchemaRuleCheck.of(at, schema, causes.isEmpty()));
        return causes.isEmpty() ? DefaultCheck.byRules(at, schema) : causes;
    }

    private static void deprecation(Causes causes, String path, JsonNode version) {
        JsonNode warning = version.path("deprecationWarning");
        if (!warning.isTextual()) {
            return;
        }
        if (!version.path("deprecated").asBoolean()) {
            causes.invalid(path + ".deprecationWarning", warning, "can only be set for deprecated versions");
        }
        if (warning.asText().length() > 256) {
            causes.invalid(path + ".deprecationWarning", warning, "must be <= 256 characters long");
        }
        if (warning.asText().isEmpty()) {
            causes.invalid(path + ".deprecationWarning", warning, "must not be an empty string");
        }
    }

    private static void scale(Causes causes, String path, JsonNode version) {
        JsonNode scale = version.path("subresources").path("scale");
        if (!scale.isObject()) {
            return;
        }
        simplePath(causes, path + ".scale.specReplicasPath", scale.path("specReplicasPath"), ".spec.");
        simplePath(causes, path + ".scale.statusReplicasPath", scale.path("statusReplicasPath"), ".status.");
        String selector = scale.path("labelSelectorPath").asText("");
        if (!selector.isEmpty() && !selector.startsWith(".")) {
            causes.invalid(path + ".scale.labelSelectorPath", selector, "must be a simple json path starting with .");
        } else if (!selector.isEmpty() && !selector.startsWith(".spec.") && !selector.startsWith(".status.")) {
            causes.invalid(
                    path + ".scale.labelSelectorPath", selector, "should be a json path under either .spec or .status");
        }
    }

    private static void simplePath(Causes causes, String field, JsonNode value, String under) {
        String path = value.asText("");
        if (path.isEmpty()) {
            causes.required(field, "");
        } else if (!path.startsWith(".")) {
            causes.invalid(field, path, "must be a simple json path starting with .");
        } else if (!path.startsWith(under)) {
            causes.invalid(field, path, "should be a json path under " + under.substring(0, under.length() - 1));
        }
    }

    private static void columns(Causes causes, String path, JsonNode version) {
        JsonNode columns = version.path("additionalPrinterColumns");
        for (int i = 0; i < columns.size(); i++) {
            column(causes, path + "[" + i + "]", columns.path(i));
        }
    }

    private static void column(Causes causes, String path, JsonNode column) {
        if (column.path("name").asText("").isEmpty()) {
            causes.required(path + ".name", "");
        }
        String type = column.path("type").asText("");
        if (type.isEmpty()) {
            causes.required(path + ".type", COLUMN_TYPES);
        } else if (!isOneOf(type, COLUMN_TYPES)) {
            causes.invalid(path + ".type", type, COLUMN_TYPES);
        }
        String format = column.path("format").asText("");
        if (!format.isEmpty() && !isOneOf(format, COLUMN_FORMATS)) {
            causes.invalid(path + ".format", format, COLUMN_FORMATS);
        }
        String json = column.path("jsonPath").asText("");
        if (json.isEmpty()) {
            causes.required(path + ".JSONPath", "");
        } else if (!json.startsWith(".")) {
            causes.invalid(path + ".JSONPath", json, "must be a simple json path starting with .");
        }
    }

    private static boolean isOneOf(String value, String words) {
        return List.of(words.substring("must be one of ".length()).split(",", -1))
                .contains(value);
    }
}
