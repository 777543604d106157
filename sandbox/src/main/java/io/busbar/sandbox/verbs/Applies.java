package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.apply.ApplyOptions;
import io.busbar.sandbox.apply.ApplyResult;
import io.busbar.sandbox.apply.ScaleOwners;
import io.busbar.sandbox.apply.ServerSideApply;
import io.busbar.sandbox.apply.Versions;
import io.busbar.sandbox.metadata.TypedMetadata;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
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
        this.owners = new Owners(cluster);
    }

    /** @param wanted what the manager wants, in the request's version; not altered */
    public Future<Written> apply(Target target, WriteOptions options, ObjectNode wanted) {
        if (cluster.store().shelf(target.resource().storage()).get(target.key()) == null) {
            return create(target, options, wanted);
        }
        return updates.changeApplied(
                        target,
                        options,
                        View.whole(target.resource()),
                        before -> applied(target, options, before, wanted))
                .map(object -> new Written(object, false));
    }

    /**
     * Applies a Scale to what has one.
     *
     * @param paths of the replicas, by apiVersion
     * @param view the object as a Scale
     */
    public Future<ObjectNode> applyScale(
            Target target,
            WriteOptions options,
            ObjectNode wanted,
            Function<String, @Nullable String> paths,
            View view) {
        ApplyOptions how = new ApplyOptions(
                options.fieldManager(),
                options.force(),
                target.subresource(),
                view.kind().apiVersion(),
                null);
        ResourceType type = new ResourceType(
                view.kind().group(), view.kind().version(), view.kind().kind(), "", true);
        Versions versions = Owners.sole(view.kind());
        return updates.changeApplied(
                target,
                options,
                owned(view, new ScaleOwners(paths, target.resource().type().apiVersion())),
                scale -> {
                    ObjectNode applied = object(ServerSideApply.apply(scale, wanted, how, versions))
                            .deepCopy();
                    TypedMetadata.decode(type, false, applied);
                    Updates.checkPlace(target, Metadata.of(applied));
                    return Future.succeededFuture(applied);
                });
    }

    /** A view that shows, and keeps, who owns what of it. */
    private static View owned(View view, ScaleOwners owners) {
        return new View() {
            @Override
            public ObjectKind kind() {
                return view.kind();
            }

            @Override
            public ObjectNode of(ObjectNode object) {
                return owners.ofScale(object, view.of(object));
            }

            @Override
            public ObjectNode put(ObjectNode object, ObjectNode form) {
                return owners.ofObject(view.put(object, form), form);
            }
        };
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
        return applied(target, options, null, wanted)
                .compose(object -> creates.createApplied(target, options, object))
                .map(object -> new Written(object, true));
    }

    private Future<ObjectNode> applied(
            Target target, WriteOptions options, @Nullable ObjectNode live, ObjectNode wanted) {
        return owners.applied(target, options, live, wanted).map(result -> {
            ObjectNode object = object(result).deepCopy();
            checkNulls(target, wanted, live == null);
            TypedMetadata.decode(target.resource().type(), target.resource().custom() != null, object);
            Updates.checkPlace(target, Metadata.of(object));
            return object;
        });
    }

    private static ObjectNode object(ApplyResult result) {
        if (result instanceof ApplyResult.Conflicts conflicts) {
            throw refused(conflicts.message(), conflicts.causes());
        }
        return ((ApplyResult.Applied) result).object();
    }

    private static void checkNulls(Target target, ObjectNode wanted, boolean creates) {
        List<FieldCause> nulls = target.resource().rules().nulls(wanted, creates);
        if (!nulls.isEmpty()) {
            ResourceType type = target.resource().type();
            throw StatusException.invalid(type.group(), type.kind(), target.name(), nulls);
        }
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
