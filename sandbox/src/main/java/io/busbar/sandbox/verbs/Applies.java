package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.apply.ApplyResult;
import io.busbar.sandbox.apply.ServerSideApply;
import io.busbar.sandbox.core.TypedMetadata;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Server-side apply: makes an object, or changes what the manager owns of it.
 *
 * <p>One context.
 */
public final class Applies {

    private final Cluster cluster;
    private final Creates creates;
    private final Updates updates;
    private final Owners owners;

    Applies(Cluster cluster, Creates creates, Updates updates) {
        this.cluster = cluster;
        this.creates = creates;
        this.updates = updates;
        this.owners = new Owners(cluster.clock());
    }

    /** @param configuration what the manager wants, in the request's version */
    public Future<Written> apply(Target target, WriteOptions options, ObjectNode configuration) {
        Resource resource = target.resource();
        ObjectNode typed = configuration.deepCopy();
        TypedMetadata.decode(resource.type(), typed);
        ObjectNode wanted = named(target, typed);
        checkDeclared(target, wanted);
        if (target.subresource().isEmpty() && resource.subresources().contains("status")) {
            wanted.remove("status");
        }
        if (cluster.store().shelf(resource.storage()).get(target.key()) == null) {
            return create(target, options, wanted);
        }
        return updates.changeApplied(target, options, before -> applied(target, options, before, wanted))
                .map(object -> new Written(object, false));
    }

    private Future<Written> create(Target target, WriteOptions options, ObjectNode wanted) {
        Resource resource = target.resource();
        if (!target.subresource().isEmpty()) {
            throw StatusException.notFound(resource.named(), target.name());
        }
        String uid = Metadata.of(wanted).uid();
        if (!uid.isEmpty()) {
            throw StatusException.conflict(
                    resource.named(),
                    target.name(),
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
        }
        return creates.createApplied(target, options, applied(target, options, null, wanted))
                .map(object -> new Written(object, true));
    }

    private ObjectNode applied(Target target, WriteOptions options, @Nullable ObjectNode live, ObjectNode wanted) {
        ApplyResult result = ServerSideApply.apply(
                live,
                wanted,
                owners.options(target, options),
                target.resource().rules().lists());
        if (result instanceof ApplyResult.Applied applied) {
            checkNulls(target, wanted, live == null);
            return applied.object().deepCopy();
        }
        ApplyResult.Conflicts conflicts = (ApplyResult.Conflicts) result;
        throw refused(conflicts.message(), conflicts.causes());
    }

    /** Unlike other writes, an apply must not hold a field that a built-in kind does not have, whatever the client's wish. */
    private static void checkDeclared(Target target, ObjectNode wanted) {
        List<String> unknown =
                target.resource().custom() == null ? target.resource().rules().unknownFields(wanted) : List.of();
        if (unknown.isEmpty()) {
            return;
        }
        List<String> errors = unknown.stream()
                .map(field -> "." + field + ": field not declared in schema")
                .toList();
        throw new StatusException(
                500,
                "",
                "failed to create typed patch object (" + target.key() + "; "
                        + target.resource().type().apiVersion() + ", Kind="
                        + target.resource().type().kind() + "): "
                        + (errors.size() == 1 ? errors.get(0) : "errors:\n  " + String.join("\n  ", errors)),
                null);
    }

    private static void checkNulls(Target target, ObjectNode wanted, boolean creates) {
        List<FieldCause> nulls = target.resource().rules().nulls(wanted, creates);
        if (!nulls.isEmpty()) {
            ResourceType type = target.resource().type();
            throw StatusException.invalid(type.group(), type.kind(), target.name(), nulls);
        }
    }

    private static ObjectNode named(Target target, ObjectNode configuration) {
        Metadata metadata = Metadata.of(configuration);
        if (metadata.name().isEmpty()) {
            metadata.node().put("name", target.name());
        } else if (!metadata.name().equals(target.name())) {
            throw StatusException.badRequest("the name of the object (" + metadata.name()
                    + ") does not match the name on the URL (" + target.name() + ")");
        }
        if (!target.namespace().isEmpty() && metadata.namespace().isEmpty()) {
            metadata.node().put("namespace", target.namespace());
        }
        return configuration;
    }

    private static StatusException refused(String message, List<FieldCause> causes) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        ArrayNode array = details.putArray("causes");
        causes.forEach(cause -> array.addObject()
                .put("reason", cause.reason())
                .put("message", cause.message())
                .put("field", cause.field()));
        return new StatusException(409, "Conflict", message, details);
    }
}
