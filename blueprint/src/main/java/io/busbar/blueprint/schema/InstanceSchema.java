package io.busbar.blueprint.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.blueprint.source.Fields;
import io.busbar.blueprint.source.Place;
import io.busbar.blueprint.source.Problems;
import io.busbar.blueprint.source.SourceNode;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.Pluralize;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The kind that a Blueprint declares.
 *
 * <p>Immutable; the JSON in it is not to be changed.
 *
 * @param plural of the kind, in small letters
 * @param spec the schema of the field {@code spec} of instances
 * @param specRequired whether an instance must have one
 * @param status as the Blueprint writes it, with expressions
 * @param statusSchema where the Blueprint has OpenAPI for it
 * @param metadata labels and annotations of the definition
 * @param columns in the form of a definition
 */
public record InstanceSchema(
        String group,
        String version,
        String kind,
        String plural,
        boolean namespaced,
        JsonNode spec,
        boolean specRequired,
        Optional<SourceNode> status,
        Optional<JsonNode> statusSchema,
        JsonNode metadata,
        List<String> shortNames,
        List<String> categories,
        ArrayNode columns) {

    /** Where a Blueprint names no group. */
    public static final String DEFAULT_GROUP = "busbar.io";

    private static final String CONDITIONS = "conditions";

    /** The field of the status that says in a word how an instance is, unless the Blueprint has one of that name. */
    public static final String STATE = "state";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String LABEL = "[a-z]([-a-z0-9]{0,61}[a-z0-9])?";

    /** Reads the field {@code schema} of a Blueprint. */
    public static InstanceSchema read(SourceNode node, Problems problems) {
        return new Reading(node, problems).schema();
    }

    /** Its kind, as it is served. */
    public ResourceType type() {
        return new ResourceType(group, version, kind, plural, namespaced);
    }

    /** The fields of the status as they are written, but for the conditions. */
    public Map<String, SourceNode> statusFields() {
        Map<String, SourceNode> fields = new LinkedHashMap<>();
        status.ifPresent(node -> node.entries().forEach(field -> fields.put(field.getKey(), field.getValue())));
        fields.remove(CONDITIONS);
        return fields;
    }

    /** Whether the status has a field {@link #STATE} of its own. */
    public boolean hasOwnState() {
        return statusFields().containsKey(STATE)
                || statusSchema()
                        .filter(schema -> schema.path("properties").has(STATE))
                        .isPresent();
    }

    /** What makes conditions of the status, as it is written. */
    public List<SourceNode> conditions() {
        return status.flatMap(node -> node.field(CONDITIONS))
                .map(SourceNode::items)
                .orElse(List.of());
    }

    /** {@code group/version}. */
    public String apiVersion() {
        return group + "/" + version;
    }

    /** Reads one schema. One thread. */
    private static final class Reading {

        private final SourceNode node;
        private final Problems problems;
        private final Fields fields;
        private final ArrayNode columns = NODES.arrayNode();

        Reading(SourceNode node, Problems problems) {
            this.node = node;
            this.problems = problems;
            this.fields = new Fields(
                    node,
                    problems,
                    "apiVersion",
                    "kind",
                    "group",
                    "scope",
                    "spec",
                    "status",
                    "types",
                    "openAPIV3Schema",
                    "additionalPrinterColumns",
                    "metadata",
                    "plural",
                    "shortNames",
                    "categories");
        }

        InstanceSchema schema() {
            String version = matching("apiVersion", "v[0-9]+((alpha|beta)[0-9]+)?", "a version such as v1alpha1");
            String kind = matching("kind", "[A-Z][A-Za-z0-9]{0,62}", "a word that begins with a capital");
            String group = fields.text("group").map(SourceNode::text).orElse(DEFAULT_GROUP);
            if (!group.matches("(" + LABEL + "\\.)+" + LABEL)) {
                problems.add(place("group"), "'" + group + "' is no group; allowed: a name such as example.com");
            }
            Optional<SourceNode> whole = fields.map("openAPIV3Schema");
            ObjectNode spec = whole.isPresent() ? openApi(whole.get()) : simple();
            Optional<JsonNode> statusSchema = whole.map(schema -> schema.at("properties", "status"))
                    .map(SourceNode::json)
                    .filter(JsonNode::isObject);
            boolean required = spec.has("required") && !spec.has("default");
            return new InstanceSchema(
                    group,
                    version,
                    kind,
                    plural(kind),
                    scope().equals("Namespaced"),
                    spec,
                    required,
                    status(),
                    statusSchema,
                    metadata(),
                    names("shortNames"),
                    names("categories"),
                    columns());
        }

        private Place place(String field) {
            return node.field(field).map(SourceNode::place).orElse(node.place());
        }

        private String matching(String field, String pattern, String allowed) {
            String text = fields.requiredText(field);
            if (!text.isBlank() && !text.matches(pattern)) {
                problems.add(place(field), "'" + text + "' is not allowed; allowed: " + allowed);
            }
            return text;
        }

        private String plural(String kind) {
            if (fields.any("plural").isEmpty()) {
                return Pluralize.toPlural(kind.toLowerCase(Locale.ROOT));
            }
            String plural = fields.requiredText("plural");
            if (!plural.isEmpty() && !plural.matches(LABEL)) {
                problems.add(
                        place("plural"),
                        "'" + plural
                                + "' is not allowed; allowed: a name of small letters, digits and '-', such as tests");
            }
            return plural;
        }

        private String scope() {
            String scope = fields.text("scope").map(SourceNode::text).orElse("Namespaced");
            if (!Set.of("Namespaced", "Cluster").contains(scope)) {
                problems.add(place("scope"), "'" + scope + "' is not allowed; allowed: Namespaced, Cluster");
            }
            return scope;
        }

        private ObjectNode simple() {
            Map<String, SourceNode> types = new LinkedHashMap<>();
            fields.map("types")
                    .ifPresent(all -> all.entries().forEach(type -> types.put(type.getKey(), type.getValue())));
            SimpleSchema simple = new SimpleSchema(types, problems);
            ObjectNode spec = fields.map("spec")
                    .map(written -> simple.object(written, ".spec"))
                    .orElseGet(() -> NODES.objectNode().put("type", "object"));
            simple.checkUnusedTypes();
            simple.columns().forEach(column -> columns.add(column.json()));
            return spec;
        }

        private ObjectNode openApi(SourceNode whole) {
            for (String field : List.of("spec", "types")) {
                node.field(field)
                        .ifPresent(other -> problems.add(
                                other.keyPlace(), "there can be no '" + field + "' beside openAPIV3Schema"));
            }
            new SchemaForm(problems).check(whole);
            SourceNode spec = whole.at("properties", "spec");
            SourceNode properties = whole.at("properties");
            if (properties != null) {
                for (SourceNode property : properties.fields()) {
                    String name = property.keyPlace().path().replaceAll(".*\\.", "");
                    if (!Set.of("apiVersion", "kind", "metadata", "spec", "status")
                            .contains(name)) {
                        problems.add(
                                property.keyPlace(),
                                "unknown field; allowed: apiVersion, kind, metadata, spec, status");
                    }
                }
            }
            return spec != null && spec.json() instanceof ObjectNode object
                    ? object
                    : NODES.objectNode().put("type", "object");
        }

        private Optional<SourceNode> status() {
            Optional<SourceNode> status = fields.map("status");
            status.flatMap(map -> map.field(CONDITIONS))
                    .filter(written -> !written.isList())
                    .ifPresent(written -> problems.add(
                            written.place(),
                            "must be a list of expressions that make conditions, and is " + written.shown()));
            for (String own : List.of("observedGeneration", "blueprintRevision")) {
                status.flatMap(map -> map.field(own))
                        .ifPresent(field -> problems.add(
                                field.keyPlace(),
                                "'" + own + "' is what the operator itself writes: choose another name"));
            }
            return status;
        }

        private JsonNode metadata() {
            Optional<SourceNode> metadata = fields.map("metadata");
            metadata.ifPresent(map -> {
                Fields inner = new Fields(map, problems, "labels", "annotations");
                for (String name : List.of("labels", "annotations")) {
                    inner.map(name)
                            .ifPresent(texts -> texts.fields().stream()
                                    .filter(value -> !value.isText())
                                    .forEach(value ->
                                            problems.add(value.place(), "must be a text, and is " + value.shown())));
                }
            });
            return metadata.map(SourceNode::json).orElseGet(NODES::objectNode);
        }

        private List<String> names(String field) {
            Set<String> seen = new HashSet<>();
            for (SourceNode name : fields.texts(field)) {
                if (!name.text().matches(LABEL)) {
                    problems.add(
                            name.place(), name.shown() + " is not allowed; allowed: small letters, digits and dashes");
                } else if (!seen.add(name.text())) {
                    problems.add(name.place(), name.shown() + " is there twice");
                }
            }
            return fields.texts(field).stream().map(SourceNode::text).toList();
        }

        private ArrayNode columns() {
            for (SourceNode column : fields.list("additionalPrinterColumns")) {
                Fields inner =
                        new Fields(column, problems, "name", "type", "jsonPath", "description", "format", "priority");
                inner.requiredText("name");
                inner.requiredText("jsonPath");
                String type = inner.requiredText("type");
                if (!type.isEmpty()
                        && !Set.of("string", "integer", "number", "boolean", "date")
                                .contains(type)) {
                    problems.add(
                            column.field("type").orElse(column).place(),
                            "'" + type + "' is not allowed; allowed: boolean, date, integer, number, string");
                }
                columns.add(column.json());
            }
            if (node.field("additionalPrinterColumns").isEmpty()) {
                columns.add(new Column("State", "string", ".status." + STATE).json());
                columns.add(new Column("Ready", "string", ".status.conditions[?(@.type==\"Ready\")].status").json());
                columns.add(new Column("Age", "date", ".metadata.creationTimestamp").json());
            }
            return columns;
        }
    }
}
