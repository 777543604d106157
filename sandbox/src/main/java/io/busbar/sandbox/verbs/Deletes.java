package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.clock.Seconds;
import io.busbar.sandbox.request.DeleteOptions;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects, or marks them when they wait for finalizers or, as Pods on a node do, for their grace period.
 *
 * <p>One context.
 */
public final class Deletes {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource NAMESPACES = GroupResource.core("namespaces");
    private static final GroupResource DEFINITIONS =
            new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");
    /** Kinds that leave their dependents alone when nobody says otherwise: they did so before there was a choice. */
    private static final Set<GroupResource> ORPHANING =
            Set.of(new GroupResource("batch", "jobs"), GroupResource.core("replicationcontrollers"));

    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";
    private static final long DEFAULT_GRACE = 30;
    private static final String GRACE = "deletionGracePeriodSeconds";

    /** Keeps a definition until its objects are gone. */
    public static final String INSTANCES = "customresourcecleanup.apiextensions.k8s.io";

    private final Cluster cluster;

    public Deletes(Cluster cluster) {
        this.cluster = cluster;
    }

    public Future<Deleted> delete(Target target, WriteOptions options, DeleteOptions how) {
        return delete(target, target, options, how);
    }

    /** @param request what was asked for: the object, or the collection that it is in */
    Future<Deleted> delete(Target target, Target request, WriteOptions options, DeleteOptions how) {
        Resource resource = target.resource();
        String refusal = resource.rules().refusalOfDeletion(target.name());
        if (!refusal.isEmpty()) {
            throw StatusException.forbidden(resource.named(), target.name(), refusal);
        }
        ObjectNode current = cluster.store().shelf(resource.storage()).get(target.key());
        if (current == null) {
            return Future.failedFuture(StatusException.notFound(resource.named(), target.name()));
        }
        how.preconditions().check(resource, current);
        if (how.policy().isEmpty()) {
            resource.rules().warningsOfDeletion().forEach(options.warnings());
        }
        return resource.conversion()
                .toServed(current)
                .compose(before -> admit(AdmissionAttributes.delete(request, Kinds.of(resource), options, how, before)))
                .compose(allowed -> deleteUnasked(target, options, how));
    }

    /** Deletes what others have had their say in already, as in an eviction. */
    Future<Deleted> deleteUnasked(Target target, WriteOptions options, DeleteOptions how) {
        Deleted deleted = remove(target, options, how);
        return target.resource()
                .conversion()
                .toServed(deleted.object())
                .map(served -> new Deleted(served, deleted.gone()));
    }

    private Future<Void> admit(AdmissionAttributes attributes) {
        return cluster.admission()
                .mutate(attributes, null)
                .compose(object -> cluster.admission().validate(attributes, null));
    }

    private Deleted remove(Target target, WriteOptions options, DeleteOptions how) {
        Resource resource = target.resource();
        GroupResource storage = resource.storage();
        ObjectNode current = cluster.store().shelf(storage).get(target.key());
        if (current == null) {
            throw StatusException.notFound(resource.named(), target.name());
        }
        how.preconditions().check(resource, current);
        ObjectNode after = current.deepCopy();
        Metadata metadata = Metadata.of(after);
        boolean graceful = storage.equals(PODS);
        if (metadata.deleting() && !isShortened(metadata, how) && (graceful || storage.equals(NAMESPACES))) {
            return new Deleted(after, false);
        }
        metadata.finalizers(finalizers(storage, metadata, how));
        if (graceful || !isGone(storage, after)) {
            mark(resource, after, graceful ? podGrace(after, how.gracePeriod()) : 0);
        }
        if (isGone(storage, after)) {
            return new Deleted(removed(target, options, current, after), true);
        }
        ObjectNode marked = after;
        if (!options.dryRun() && !after.equals(current)) {
            marked = present(target, cluster.store().replace(storage, target.key(), current, after));
        }
        return new Deleted(marked, false);
    }

    private ObjectNode removed(Target target, WriteOptions options, ObjectNode current, ObjectNode last) {
        return options.dryRun()
                ? last
                : present(target, cluster.store().remove(target.resource().storage(), target.key(), current, last));
    }

    private static ObjectNode present(Target target, @Nullable ObjectNode written) {
        if (written == null) {
            throw StatusException.modified(target.resource().named(), target.name());
        }
        return written;
    }

    private static List<String> finalizers(GroupResource storage, Metadata metadata, DeleteOptions how) {
        Set<String> finalizers = new LinkedHashSet<>(metadata.finalizers());
        boolean decided = finalizers.contains(ORPHAN) || finalizers.contains(FOREGROUND) || metadata.deleting();
        Optional<String> byKind = ORPHANING.contains(storage) && !decided ? Optional.of("Orphan") : Optional.empty();
        how.policy().or(() -> byKind).ifPresent(policy -> {
            finalizers.remove(ORPHAN);
            finalizers.remove(FOREGROUND);
            if (policy.equals("Orphan")) {
                finalizers.add(ORPHAN);
            } else if (policy.equals("Foreground")) {
                finalizers.add(FOREGROUND);
            }
        });
        if (storage.equals(DEFINITIONS) && !metadata.deleting()) {
            finalizers.add(INSTANCES);
        }
        return List.copyOf(finalizers);
    }

    private static boolean pending(Metadata metadata) {
        return metadata.node().has(GRACE);
    }

    /** Once it is marked, an object's time can only be made shorter. */
    private static boolean isShortened(Metadata metadata, DeleteOptions how) {
        return pending(metadata)
                && how.gracePeriod().isPresent()
                && how.gracePeriod().getAsLong() < metadata.node().path(GRACE).asLong();
    }

    private void mark(Resource resource, ObjectNode object, long grace) {
        Metadata metadata = Metadata.of(object);
        Instant began = cluster.clock().instant();
        if (metadata.deleting()) {
            began = Instant.parse(metadata.node().path("deletionTimestamp").asText())
                    .minus(Seconds.of(metadata.node().path(GRACE).asLong()));
        } else {
            if (metadata.generation() > 0) {
                metadata.node().put("generation", metadata.generation() + 1);
            }
            resource.rules().prepareForDelete(object, began);
        }
        metadata.node().put("deletionTimestamp", Metadata.time(began.plus(Seconds.of(grace))));
        metadata.node().put(GRACE, grace);
        if (resource.storage().equals(NAMESPACES)) {
            metadata.node().remove(GRACE);
            object.withObject("/status").put("phase", "Terminating");
        }
    }

    /** The rules of the Pod strategy's CheckGracefulDelete: only a Pod that a kubelet runs has time to stop. */
    private static long podGrace(ObjectNode pod, OptionalLong asked) {
        String phase = pod.path("status").path("phase").asText();
        if (pod.path("spec").path("nodeName").asText().isEmpty()
                || phase.equals("Succeeded")
                || phase.equals("Failed")) {
            return 0;
        }
        long grace = asked.orElse(
                pod.path("spec").path("terminationGracePeriodSeconds").asLong(DEFAULT_GRACE));
        return Math.max(grace, grace < 0 ? 1 : 0);
    }

    private static boolean finalizing(GroupResource storage, ObjectNode object) {
        return storage.equals(NAMESPACES)
                && !object.path("spec").path("finalizers").isEmpty();
    }

    /** Whether an update has just taken the last thing that a deletion waited for. */
    static boolean lastFinalizerGone(Resource resource, ObjectNode object) {
        return Metadata.of(object).deleting() && isGone(resource.storage(), object);
    }

    /** Whether nothing holds up the end of an object, once it is to be deleted. */
    private static boolean isGone(GroupResource storage, ObjectNode object) {
        Metadata metadata = Metadata.of(object);
        return metadata.finalizers().isEmpty()
                && metadata.node().path(GRACE).asLong(0) == 0
                && !finalizing(storage, object);
    }
}
