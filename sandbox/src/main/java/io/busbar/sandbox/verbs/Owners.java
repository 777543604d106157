package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.apply.ApplyOptions;
import io.busbar.sandbox.apply.ManagedFields;
import io.busbar.sandbox.core.BuiltInLists;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Keeps the record of who owns which field. Any thread. */
public final class Owners {

    private final InstantSource clock;

    public Owners(InstantSource clock) {
        this.clock = clock;
    }

    /** An object as written by anything but an apply, with its managedFields. */
    public ObjectNode written(Target target, WriteOptions options, @Nullable ObjectNode before, ObjectNode after) {
        return ManagedFields.update(
                before,
                after,
                options(target, options),
                target.resource().rules().lists());
    }

    /** What is posted and not kept, with its managedFields. */
    ObjectNode submitted(Target target, WriteOptions options, ObjectKind kind, ObjectNode body) {
        ApplyOptions by = new ApplyOptions(
                options.fieldManager(), false, target.subresource(), kind.apiVersion(), clock.instant());
        return ManagedFields.update(null, body, by, BuiltInLists.topology(kind.group(), kind.kind()));
    }

    ApplyOptions options(Target target, WriteOptions options) {
        return new ApplyOptions(
                options.fieldManager(),
                options.force(),
                target.subresource(),
                target.resource().type().apiVersion(),
                clock.instant());
    }
}
