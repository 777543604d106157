package io.busbar.sandbox.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.apply.FieldFilter;
import io.busbar.sandbox.apply.ListTopology;
import io.busbar.sandbox.cel.RuleSet;
import io.busbar.sandbox.metadata.MetadataValidation;
import io.busbar.sandbox.metadata.TypedMetadata;
import io.busbar.sandbox.model.ModelType;
import io.busbar.sandbox.resource.KindRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.schema.StructuralSchema;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.table.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a custom resource: those of its schema, and of its status subresource when it has one.
 *
 * <p>Immutable.
 */
final class CustomRules implements KindRules {

    private static final Set<String> HEAD = Set.of("apiVersion", "kind", "metadata");
    private static final FieldFilter ALL_BUT_STATUS = FieldFilter.resetting("status");
    private static final FieldFilter STATUS_ALONE = FieldFilter.resetting("apiVersion", "kind", "metadata", "spec");
    private static final List<FieldCause> UNCHECKED = List.of(FieldCause.invalid(
            "<nil>",
            "null",
            "some validation rules were not checked because the object was invalid; correct the existing errors to complete"
                    + " validation"));

    /** Rules would stumble over what is wrong, since values are not what they say they are. */
    private static final Set<String> BLOCKING = Set.of(
            "FieldValueNotSupported",
            "FieldValueRequired",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueTypeInvalid");

    private final StructuralSchema schema;
    private final @Nullable StructuralSchema statusSchema;
    private final ScaleCheck scale;
    private final @Nullable RuleSet rules;
    private final ListTopology lists;
    private final boolean prunes;
    private final boolean separateStatus;
    private final Columns columns;

    /** @param version one of those of a definition */
    CustomRules(JsonNode version, boolean prunes) {
        JsonNode openAPIV3Schema = version.path("schema").path("openAPIV3Schema");
        this.schema = StructuralSchema.of(openAPIV3Schema);
        this.statusSchema = schema.property("status");
        this.scale = new ScaleCheck(version.path("subresources").path("scale"));
        this.rules = RuleSet.of(openAPIV3Schema, schema);
        this.lists = ListTopology.of(schema, ModelType.metadata());
        this.prunes = prunes;
        this.separateStatus = version.path("subresources").has("status");
        this.columns = Columns.ofDefinition(version.path("additionalPrinterColumns"));
    }

    @Override
    public ObjectNode decode(ObjectNode object) {
        ObjectNode decoded = schema.withDefaults(pruned(object));
        schema.embedded(
                "", decoded, (path, resource) -> TypedMetadata.decodeEmbedded(decoded, path, (ObjectNode) resource));
        return decoded;
    }

    /** The object without what the schema does not know. */
    ObjectNode pruned(ObjectNode object) {
        return prunes ? schema.prune(object) : object;
    }

    @Override
    public Columns columns() {
        return columns;
    }

    @Override
    public List<String> unknownFields(ObjectNode object) {
        List<String> unknown = new ArrayList<>(ModelType.unknownMetadata(object));
        if (prunes) {
            unknown.addAll(schema.unknownFields(object));
        }
        return unknown;
    }

    @Override
    public List<FieldCause> nulls(ObjectNode configuration, boolean creates) {
        return schema.nulls(configuration, creates);
    }

    @Override
    public void prepareForCreate(ObjectNode object) {
        if (separateStatus) {
            object.remove("status");
        }
        Metadata.of(object).node().put("generation", 1);
    }

    @Override
    public void prepareForUpdate(ObjectNode object, ObjectNode before, String subresource) {
        if (subresource.equals("status")) {
            keepAllButStatus(object, before);
            return;
        }
        if (separateStatus) {
            Fields.restore(object, before, "status");
        }
        Set<String> fields = fields(object, before);
        if (separateStatus) {
            fields.remove("status");
        }
        if (fields.stream().anyMatch(field -> !object.path(field).equals(before.path(field)))) {
            Metadata.of(object).node().put("generation", Metadata.of(before).generation() + 1);
        }
    }

    /** A write of the status has only that checked against the schema. */
    @Override
    public List<FieldCause> validate(ObjectNode object, @Nullable ObjectNode before, String subresource) {
        boolean ofStatus = subresource.equals("status");
        Causes causes = new Causes().addAll(MetadataValidation.of(object, before));
        if (!ofStatus) {
            causes.addAll(schema.validate(object, before));
        } else if (statusSchema != null && object.has("status")) {
            JsonNode old = before == null ? null : before.get("status");
            causes.addAll(statusSchema.validateAt("status", object.path("status"), old));
        }
        scale.check(object, ofStatus, causes);
        if (!ofStatus) {
            schema.embedded("", object, (path, resource) -> EmbeddedCheck.of(path, resource, causes));
        }
        if (rules != null) {
            causes.addAll(warnsOfRefused(causes.list()) ? rules.check(object, before) : UNCHECKED);
        }
        return causes.list();
    }

    @Override
    public List<String> warnings(ObjectNode object, @Nullable ObjectNode before) {
        return rules == null || before == null
                ? List.of()
                : rules.tolerated(object, before).stream()
                        .map(cause -> cause.field() + ": " + cause.message())
                        .toList();
    }

    /** Rules warn as they are asked. */
    @Override
    public boolean warnsOfRefused(List<FieldCause> causes) {
        return causes.stream().noneMatch(cause -> BLOCKING.contains(cause.reason()));
    }

    @Override
    public FieldFilter counted(String subresource) {
        return !separateStatus ? FieldFilter.NONE : subresource.equals("status") ? STATUS_ALONE : ALL_BUT_STATUS;
    }

    @Override
    public ListTopology lists() {
        return lists;
    }

    private static void keepAllButStatus(ObjectNode object, ObjectNode before) {
        Set<String> fields = fields(object, before);
        fields.remove("status");
        fields.forEach(field -> Fields.restore(object, before, field));
        JsonNode managers = object.path("metadata").get("managedFields");
        JsonNode version = object.path("metadata").get("resourceVersion");
        ObjectNode metadata = ((ObjectNode) before.path("metadata")).deepCopy();
        new Metadata(metadata).set("managedFields", managers);
        new Metadata(metadata).set("resourceVersion", version);
        object.set("metadata", metadata);
    }

    private static Set<String> fields(ObjectNode object, ObjectNode before) {
        Set<String> fields = Fields.names(object, before);
        fields.removeAll(HEAD);
        return fields;
    }
}
