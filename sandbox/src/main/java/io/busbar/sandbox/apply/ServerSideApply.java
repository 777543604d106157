package io.busbar.sandbox.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.patch.Equality;
import io.busbar.sandbox.patch.PatchException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Server-side apply: lays a configuration over the live object, field by field, minding who owns what.
 *
 * <p>Applying the same configuration twice changes nothing the second time. What the manager applied before, applies no
 * longer and nobody else owns is removed. Any thread.
 */
public final class ServerSideApply {

    private ServerSideApply() {}

    /**
     * Applies a configuration.
     *
     * @param live null when there is no such object yet; not altered
     * @param config not altered
     * @throws PatchException 400 when the configuration holds managedFields, 500 when it does not fit the kind, or the
     *     live object's managedFields can't be read
     */
    public static ApplyResult apply(
            @Nullable ObjectNode live, ObjectNode config, ApplyOptions options, Versions versions) {
        if (config.path("metadata").hasNonNull("managedFields")) {
            throw new PatchException(400, "metadata.managedFields must be nil");
        }
        ListTopology lists = versions.lists(options.apiVersion());
        TypedValidation.check(config, lists);
        ObjectNode before = live == null ? lists.blank() : live;
        Owner self = Owner.applying(options);
        Ownership owners = ownersOf(live, options, versions);
        FieldSet last = owners.fields(self);
        String lastVersion = owners.apiVersion(self);
        ObjectNode merged = (ObjectNode) Objects.requireNonNull(Typed.merge(before, config, lists));
        FieldSet applied = versions.filter(options.apiVersion()).apply(Typed.fields(config, lists));
        owners.set(self, applied, options.apiVersion());
        ObjectNode after = lastVersion == null
                ? merged
                : new Withdrawal(versions, owners).prune(merged, last, lastVersion, options.apiVersion());

        Changes changes = new Changes(before, after, options.apiVersion(), versions);
        owners.forgetObsolete(self, changes);
        Map<Owner, FieldSet> conflicts = owners.conflicts(self, changes);
        if (!conflicts.isEmpty() && !options.force()) {
            return new ApplyResult.Conflicts(list(conflicts));
        }
        owners.take(self, changes);
        owners.set(self, applied.minus(Ownership.NOBODYS), options.apiVersion());
        if (!Equality.equal(before, after)) {
            owners.touch(self, options.time());
        }
        return new ApplyResult.Applied(owners.writeTo(after));
    }

    /** An object that is not tracked belongs to one manager of that name. */
    private static Ownership ownersOf(@Nullable ObjectNode live, ApplyOptions options, Versions versions) {
        Ownership owners = live == null ? new Ownership() : Ownership.of(live);
        if (owners == null) {
            throw new PatchException(500, "failed to decode managed fields: they hold an entry that is none");
        }
        if (live != null && owners.isEmpty()) {
            ApplyOptions others = new ApplyOptions(
                    "before-first-apply", false, options.subresource(), options.apiVersion(), options.time());
            ManagedFields.record(owners, versions.lists(options.apiVersion()).blank(), live, others, versions);
        }
        return owners;
    }

    private static List<ApplyResult.Conflict> list(Map<Owner, FieldSet> conflicts) {
        return conflicts.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.comparing(Owner::toString)))
                .flatMap(entry -> entry.getValue().paths().stream()
                        .map(path -> new ApplyResult.Conflict(entry.getKey().toString(), path)))
                .toList();
    }
}
