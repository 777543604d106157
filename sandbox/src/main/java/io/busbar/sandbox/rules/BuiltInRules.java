package io.busbar.sandbox.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.apply.FieldFilter;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.metadata.MetadataValidation;
import io.busbar.sandbox.model.ModelType;
import io.busbar.sandbox.model.Type;
import io.busbar.sandbox.patch.MergeKeys;
import io.busbar.sandbox.resource.KindRules;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.table.Columns;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What holds for all built-in kinds: who may write spec, who status, when the generation rises, and the rules of the
 * types that a kind is made of. A kind's room overrides what is its own.
 *
 * <p>Any thread, unless a room says otherwise. From the strategies of the kinds: {@code PrepareForCreate},
 * {@code PrepareForUpdate}.
 */
public class BuiltInRules implements KindRules {

    private static final Set<String> NEVER_COMPARED = Set.of("apiVersion", "kind", "metadata", "status");
    private static final List<String> MAPS = List.of(
            "labels",
            "annotations",
            "nodeSelector",
            "matchLabels",
            "data",
            "stringData",
            "binaryData",
            "limits",
            "requests");

    private final ResourceType type;
    private final boolean hasStatus;
    private final Set<String> traits;
    private final MergeKeys mergeKeys;
    private final ListTopology lists;
    private final ModelType model;
    private final TypeRules rules;
    private final String message;
    private final Columns columns;

    /**
     * What all rules of a kind begin with.
     *
     * @param hasStatus whether the kind has a status subresource
     * @param traits as {@link io.busbar.sandbox.resource.BuiltIn} has them
     * @param rules of all types
     */
    public record Facts(ResourceType type, boolean hasStatus, Set<String> traits, TypeRules rules) {}

    public BuiltInRules(Facts facts) {
        this.type = facts.type();
        this.hasStatus = facts.hasStatus();
        this.traits = facts.traits();
        this.rules = facts.rules();
        this.model = ModelType.of(type);
        this.mergeKeys = model.mergeKeys();
        this.lists = model.topology();
        this.columns = rules.columns(type.kind() + "." + type.group());
        this.message = Type.nameOf(type.group(), type.version(), type.kind());
    }

    /** Fills in what the rules of types have not, in place. Filling in twice is the same as once. */
    protected void fillDefaults(ObjectNode object) {}

    /** Sets in place what the kind itself decides of a new object. */
    protected void prepareNew(ObjectNode object) {}

    /** The status that an object starts with, whatever the client sent. */
    protected ObjectNode initialStatus(ObjectNode object) {
        return rules.initialStatus(message);
    }

    /** Tells what is wrong beside what the rules of types say; of a subresource only its own. */
    protected void check(Causes causes, ObjectNode object, @Nullable ObjectNode before, String subresource) {}

    /** Whether the rules of the kind's types are looked at in a write of a subresource; empty for the object itself. */
    protected boolean checksTypes(String subresource) {
        return subresource.isEmpty();
    }

    /** Whether this change makes a new generation, beside a change of anything but metadata and status. */
    protected boolean counts(ObjectNode object, ObjectNode before) {
        return false;
    }

    @Override
    public ObjectNode decode(ObjectNode object) {
        model.check(object);
        model.fillNulls(object);
        ObjectNode decoded = object.deepCopy();
        if (!traits.contains("raw")) {
            Fields.compact(decoded, MAPS);
        }
        checkTexts(decoded);
        rules.fill(message, decoded);
        fillDefaults(decoded);
        model.prune(decoded);
        return decoded;
    }

    @Override
    public List<String> unknownFields(ObjectNode object) {
        return model.unknownFields(object);
    }

    @Override
    public void prepareForCreate(ObjectNode object) {
        if (traits.contains("generation")) {
            Metadata.of(object).node().put("generation", 1);
        }
        prepareNew(object);
        if (hasStatus && !keepsStatusOfNew()) {
            object.set("status", initialStatus(object));
        }
    }

    /** Whether whoever makes an object may give it a status. */
    protected boolean keepsStatusOfNew() {
        return false;
    }

    @Override
    public void prepareForUpdate(ObjectNode object, ObjectNode before, String subresource) {
        switch (subresource) {
            case "" -> {
                if (hasStatus) {
                    Fields.restore(object, before, "status");
                }
            }
            case "status" -> keepAllBut(object, before, "status");
            case "finalize" -> keepAllBut(object, before, "spec");
            default -> {}
        }
        if (subresource.isEmpty() || subresource.equals("scale")) {
            count(object, before);
        }
        if (subresource.equals("status") && type.group().equals("apps")) {
            Metadata.of(object).set("labels", before.path("metadata").get("labels"));
        }
    }

    @Override
    public List<FieldCause> validate(ObjectNode object, @Nullable ObjectNode before, String subresource) {
        Causes causes = new Causes();
        MetadataValidation.check(causes, type.kind(), object, before);
        if (checksTypes(subresource)) {
            rules.check(causes, message, object, before);
        } else if (subresource.equals("status")) {
            rules.checkField(causes, message, "status", object, before);
        }
        check(causes, object, before, subresource);
        return causes.list();
    }

    @Override
    public FieldFilter counted(String subresource) {
        return Strategies.counted(type.kind() + "." + type.group(), hasStatus, subresource);
    }

    @Override
    public ListTopology lists() {
        return lists;
    }

    @Override
    public Columns columns() {
        return columns;
    }

    @Override
    public boolean createsOnUpdate() {
        return traits.contains("put");
    }

    @Override
    public boolean updatesUnconditionally() {
        return !traits.contains("version");
    }

    @Override
    public boolean mergesStrategically() {
        return true;
    }

    @Override
    public MergeKeys mergeKeys() {
        return mergeKeys;
    }

    protected ResourceType type() {
        return type;
    }

    /** Raises the generation when something that is wanted has changed. */
    protected void count(ObjectNode object, ObjectNode before) {
        if (traits.contains("generation") && (counts(object, before) || !equal(object, before))) {
            Metadata.of(object).node().put("generation", Metadata.of(before).generation() + 1);
        }
    }

    private static boolean equal(ObjectNode object, ObjectNode before) {
        Set<String> fields = Fields.names(object, before);
        fields.removeAll(NEVER_COMPARED);
        return fields.stream().allMatch(field -> object.path(field).equals(before.path(field)));
    }

    private static void keepAllBut(ObjectNode object, ObjectNode before, String field) {
        Set<String> fields = Fields.names(object, before);
        fields.removeAll(Set.of("apiVersion", "kind", "metadata", field));
        fields.forEach(other -> Fields.restore(object, before, other));
    }

    private void checkTexts(ObjectNode object) {
        for (String field : List.of("labels", "annotations")) {
            for (Map.Entry<String, JsonNode> entry :
                    object.path("metadata").path(field).properties()) {
                if (!(entry.getValue() instanceof TextNode)) {
                    throw undecodable(
                            object,
                            "v1.ObjectMeta." + Character.toUpperCase(field.charAt(0)) + field.substring(1)
                                    + ": ReadString: expects \" or n, but found "
                                    + entry.getValue().toString().charAt(0));
                }
            }
        }
    }

    private StatusException undecodable(ObjectNode object, String why) {
        String apiVersion = object.path("apiVersion").asText();
        String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
        return StatusException.badRequest(
                type.kind() + " in version \"" + version + "\" cannot be handled as a " + type.kind() + ": " + why);
    }
}
