package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.FieldConflictException;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.busbar.reconciler.write.ApiRequests;
import io.busbar.reconciler.write.Applier;
import io.busbar.reconciler.write.FetchedObjects;
import io.busbar.reconciler.write.ObjectPaths;
import io.busbar.reconciler.write.ObjectWriter;
import io.busbar.reconciler.write.OwnWrites;
import io.busbar.reconciler.write.PrimaryWriter;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cluster as one controller reads and writes it, and what it has polled beyond it.
 *
 * <p>Any thread.
 *
 * @param name empty for the operator's own
 * @param reads which kinds the controller has declared there
 * @param stores what the watches hold
 * @param overlaid the same, own writes included
 */
record Cluster<P extends HasMetadata>(
        String name,
        Class<P> type,
        Reads reads,
        Listers stores,
        Listers overlaid,
        ApiRequests api,
        OwnWrites writes,
        WriteLoops loops,
        Applier applier,
        ObjectWriter objects,
        PrimaryWriter<P> writer,
        EventRecorder events,
        Refusals refusals,
        Pollers<P> pollers,
        FetchedObjects fetched,
        KubernetesClient client) {

    /**
     * @param member the cluster, for all controllers
     * @param reads what the controller may read
     * @param loops of the controller, in all clusters
     */
    static <P extends HasMetadata> Cluster<P> of(
            Member member,
            Controller<P> controller,
            Reads reads,
            Listers stores,
            EventRecorder events,
            WriteLoops loops,
            MeterRegistry meters) {
        ApiRequests api = member.api();
        OwnWrites writes = new OwnWrites(member.name(), stores, written -> loops.wrote(member.name(), written));
        return new Cluster<>(
                member.name(),
                controller.type(),
                reads,
                stores,
                writes.over(stores),
                api,
                writes,
                loops,
                new Applier(controller.name(), api, member.schemas(), stores, writes, reads.metadataOnly()),
                new ObjectWriter(controller.name(), api, stores, writes),
                new PrimaryWriter<>(controller.type(), api, writes),
                events,
                new Refusals(events),
                new Pollers<>(controller, meters),
                member.fetched(),
                member.client());
    }

    /**
     * Own writes included.
     *
     * @throws IllegalArgumentException when the controller has not declared that it watches this kind
     */
    <T extends HasMetadata> Lister<T> lister(Class<T> read) {
        reads.requireWatched(read);
        return overlaid.lister(read);
    }

    /** @throws IllegalArgumentException when the controller has not declared that its primaries own this kind */
    <T extends HasMetadata> List<T> owned(Class<T> read, P owner) {
        reads.requireOwned(read);
        return overlaid.lister(read)
                .by(Controller.byControllerUid(), owner.getMetadata().getUid());
    }

    Optional<P> primary(ObjectKey key) {
        return overlaid.lister(type).get(key);
    }

    /** As a watch has stored it. */
    Optional<P> stored(ObjectKey key) {
        return stores.lister(type).get(key);
    }

    /** The keys of all that are stored. */
    Stream<ObjectKey> primaries() {
        return stores.lister(type).list().stream()
                .map(primary -> ObjectKey.of(primary).in(name));
    }

    /** The whole of an object that a watch shows a part of, own writes included. Blocks where that is not known. */
    <T extends HasMetadata> Optional<T> fetched(Class<T> read, ObjectKey key) {
        reads.requireWatched(read);
        return overlaid.lister(read).get(key).flatMap(seen -> fetched.whole(read, seen));
    }

    /** An object as the API server has it now. Blocks. */
    <T extends HasMetadata> Optional<T> live(Class<T> read, ObjectKey key) {
        return api.find(read, ObjectPaths.of(read, key));
    }

    /** A primary as the API server has it now, which the next read sees as well. Blocks. */
    Optional<P> live(P primary) {
        Optional<P> live = api.find(type, ObjectPaths.of(primary));
        live.ifPresent(writes::rememberRead);
        return live;
    }

    /**
     * Whether this controller reads a type from a watch: of several watches of one type, it reads the first that it has
     * declared.
     */
    boolean reads(Class<? extends HasMetadata> read, String watch) {
        return stores.lister(read).watch().equals(watch);
    }

    /**
     * Applies an object for a primary, which is told if it is somebody else's.
     *
     * @param home the primary's cluster
     */
    <T extends HasMetadata> T apply(T desired, P primary, Cluster<P> home, Apply how) {
        try {
            T applied = applier.apply(desired, primary, name.equals(home.name), how);
            home.refusals.over(primary, desired);
            return applied;
        } catch (ObjectNotOwnedException notOwned) {
            home.refusals.tell(primary, desired, notOwned);
            throw notOwned;
        } catch (FieldConflictException conflict) {
            home.refusals.tell(primary, desired, conflict);
            throw conflict;
        }
    }

    /** Takes note of what a watch has stored that this controller reads. */
    void changed(Class<? extends HasMetadata> changed, ResourceChanged change) {
        ObjectKey key = change.key().local();
        writes.settle(changed, key);
        if (change.kind() == ResourceChanged.Kind.DELETED) {
            applier.deleted(changed, key);
            fetched.forget(changed, key);
            if (changed == type) {
                objects.deleted(key);
                refusals.forget(key);
            }
        }
    }

    /**
     * Asks the API server which own writes are still there, if that is in doubt. Blocks.
     *
     * @return those that are lost
     */
    List<HasMetadata> resolveDoubts() {
        return writes.resolveDoubts(object -> api.find(object.getClass(), ObjectPaths.of(object)));
    }

    /**
     * Lays over the store what was written by other means.
     *
     * @throws IllegalArgumentException when the kind is not watched: nothing would ever read this
     */
    <T extends HasMetadata> void remember(T written) {
        writes.remember(written);
    }
}
