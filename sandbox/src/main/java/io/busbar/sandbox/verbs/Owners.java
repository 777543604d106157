package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.apply.ApplyOptions;
import io.busbar.sandbox.apply.ApplyResult;
import io.busbar.sandbox.apply.FieldFilter;
import io.busbar.sandbox.apply.ManagedFields;
import io.busbar.sandbox.apply.ServerSideApply;
import io.busbar.sandbox.apply.Versions;
import io.busbar.sandbox.model.ModelType;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.resource.Resource;
import io.vertx.core.Future;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Keeps the record of who owns which field. One context. */
public final class Owners {

    private final Cluster cluster;

    Owners(Cluster cluster) {
        this.cluster = cluster;
    }

    /** An object as written by anything but an apply, with its managedFields. */
    Future<ObjectNode> written(Target target, WriteOptions options, @Nullable ObjectNode before, ObjectNode after) {
        ApplyOptions how = options(target, options, cluster.clock().instant());
        return KindVersions.ask(
                cluster.catalog(), target, versions -> ManagedFields.update(before, after, how, versions));
    }

    /** What an apply makes of an object. */
    Future<ApplyResult> applied(Target target, WriteOptions options, @Nullable ObjectNode live, ObjectNode wanted) {
        ApplyOptions how = options(target, options, cluster.clock().instant());
        return KindVersions.ask(
                cluster.catalog(), target, versions -> ServerSideApply.apply(live, wanted, how, versions));
    }

    /** What is posted and not kept, with its managedFields. */
    ObjectNode submitted(Target target, WriteOptions options, ObjectKind kind, ObjectNode body) {
        ApplyOptions by = new ApplyOptions(
                options.fieldManager(),
                false,
                target.subresource(),
                kind.apiVersion(),
                cluster.clock().instant());
        return ManagedFields.update(null, body, by, sole(kind));
    }

    /** An object of a kind with one version, as written by the server itself. */
    public static ObjectNode written(
            Target target, WriteOptions options, ObjectNode before, ObjectNode after, Instant time) {
        Resource resource = target.resource();
        Versions versions =
                Versions.same(resource.rules().lists(), resource.rules().counted(target.subresource()));
        return ManagedFields.update(before, after, options(target, options, time), versions);
    }

    /** A kind that only comes in requests. */
    static Versions sole(ObjectKind kind) {
        ResourceType type = new ResourceType(kind.group(), kind.version(), kind.kind(), "", true);
        return Versions.same(ModelType.of(type).topology(), FieldFilter.NONE);
    }

    private static ApplyOptions options(Target target, WriteOptions options, Instant time) {
        return new ApplyOptions(
                options.fieldManager(),
                options.force(),
                target.subresource(),
                target.resource().type().apiVersion(),
                target.subresource().equals("scale") ? null : time);
    }
}
