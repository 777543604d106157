package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.reconciler.Apply;
import io.busbar.reconciler.write.AppliedObjects.Place;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Server-side apply that asks the API server only if there is something to change, and touches nothing that is somebody
 * else's.
 *
 * <p><b>Whether there is something to change.</b> No request is made when the object is as this applier's last apply
 * left it, its status aside, and the same is desired; nor when it {@linkplain Coverage covers} what is desired, and
 * that is the same as last time or no time is known. So a field that vanishes from what is desired is taken back,
 * except across a restart: then the first look finds it covered. Of a kind that is not watched every apply is a read
 * and a request.
 *
 * <p>Of a kind whose metadata alone is watched, an object is as it was left also while its generation is, and its
 * metadata covers what is desired of it; else it is read before it is applied, if what is desired has not changed: so a
 * restart costs a read of each, and so does each change that somebody makes to an object without a generation.
 *
 * <p><b>Whose the object is.</b> A store need not show all objects, so what it does not show may be there. An apply
 * cannot say "only if there is none": it would be merged into what is there. So what the store does not show is created
 * (POST); if the API server has an object of that name, that is read, and applied to only if it is
 * {@linkplain Claim ours}. Each apply holds the uid of the object that was looked at, so that none is merged into
 * another one of the name, made meanwhile by somebody else; the API server itself refuses a second controller. The
 * owner itself is never created: where it is not there, or another one is, somebody has deleted it. What was
 * created {@linkplain OwnFields becomes} the manager's own by applying with the first apply that follows.
 *
 * <p>Any thread; blocks.
 */
public final class Applier {

    /** How often an object may come and go between two requests before that is a failure. */
    private static final int ROUNDS = 3;

    private final String fieldManager;
    private final ApplyRequests requests;
    private final ApiRequests api;
    private final Schemas schemas;
    private final Listers stores;
    private final OwnWrites writes;
    private final Set<Class<? extends HasMetadata>> metadataOnly;
    private final AppliedObjects last = new AppliedObjects();

    /** One call. */
    private record Task<T extends HasMetadata>(
            Class<T> type, T desired, Place place, Configuration configuration, Claim claim, Apply how, Watch watch) {}

    /** How much of an object its store has. */
    private enum Watch {
        NONE,
        METADATA,
        WHOLE
    }

    /**
     * @param stores without own writes, which this lays over them
     * @param metadataOnly the kinds of which the stores have the metadata alone
     */
    public Applier(
            String fieldManager,
            ApiRequests api,
            Schemas schemas,
            Listers stores,
            OwnWrites writes,
            Set<Class<? extends HasMetadata>> metadataOnly) {
        this.fieldManager = fieldManager;
        this.requests = new ApplyRequests(fieldManager, api);
        this.api = api;
        this.schemas = schemas;
        this.stores = stores;
        this.writes = writes;
        this.metadataOnly = Set.copyOf(metadataOnly);
    }

    /**
     * @param owner becomes the controlling owner where the desired object has none and may have this one
     * @return the object as it is now
     * @throws io.busbar.reconciler.ObjectNotOwnedException when there is an object of that name that is somebody else's
     * @throws OutdatedPrimaryException when the object is the owner, and that has gone
     * @throws io.busbar.reconciler.FieldConflictException when conflicts are to be reported, and there are some
     * @throws KubernetesClientException when the API server refuses, or is not there
     */
    public <T extends HasMetadata> T apply(T desired, HasMetadata owner, Apply how) {
        return apply(desired, owner, true, how);
    }

    /**
     * The same for an object that may be in another cluster than its owner, who does not control it then.
     *
     * @param here whether both are in one
     */
    public <T extends HasMetadata> T apply(T desired, HasMetadata owner, boolean here, Apply how) {
        @SuppressWarnings("unchecked") // an object's class is a class of its type
        Class<T> type = (Class<T>) desired.getClass();
        Optional<OwnerReference> reference = ControllerReference.to(owner, here && how.owned(), desired);
        Place place = new Place(type, ObjectKey.of(desired));
        Lister<T> store = store(type);
        Task<T> task = new Task<>(
                type,
                desired,
                place,
                Configuration.of(desired, reference, api),
                Claim.of(owner, here, desired, reference, fieldManager, how.adopts()),
                how,
                store == null ? Watch.NONE : metadataOnly.contains(type) ? Watch.METADATA : Watch.WHOLE);
        if (store == null) {
            return applyLive(task, true);
        }
        Optional<T> current = writes.latest(type, place.key(), store);
        return current.isPresent() ? keep(task, current.get()) : applyLive(task, false);
    }

    /** Drops what is known of an object that is gone. */
    public void deleted(Class<?> type, ObjectKey key) {
        last.forget(new Place(type, key));
    }

    private <T extends HasMetadata> T keep(Task<T> task, T shown) {
        boolean told = task.claim().isToldByReference();
        if (told) {
            task.claim().require(shown, List.of());
        }
        if (last.isAsLeft(task.place(), shown, task.configuration(), task.how())) {
            return shown;
        }
        if (task.watch() == Watch.WHOLE) {
            return keepSeen(task, shown);
        }
        boolean same = isSameDesired(task, shown);
        if (same && last.hasSpecAsLeft(task.place(), shown, task.how()) && isMetadataCovered(task, shown)) {
            return shown;
        }
        if (!same && task.how().wholeLists().isEmpty()) {
            return keepSeen(task, shown); // it is applied, whatever it is
        }
        return api.find(task.type(), ObjectPaths.of(shown))
                .filter(whole ->
                        whole.getMetadata().getUid().equals(shown.getMetadata().getUid()))
                .map(whole -> keepSeen(task, whole))
                .orElseGet(() -> applyLive(task, true));
    }

    /** @param shown as far as is needed */
    private <T extends HasMetadata> T keepSeen(Task<T> task, T shown) {
        boolean told = task.claim().isToldByReference();
        ObjectNode seen = api.json(shown);
        T current = told ? withoutOthers(task, shown, seen) : shown;
        boolean whole = task.how().wholeLists().isEmpty() || shape(task.type()).isPresent();
        if (isApplied(task, current, current == shown ? seen : api.json(current))) {
            last.found(task.place(), current, task.configuration(), whole);
            return current;
        }
        if (!told && !last.isKnown(task.place(), current)) {
            return applyLive(task, true);
        }
        try {
            return sent(task, current, whole);
        } catch (KubernetesClientException failure) {
            if (!ApplyRequests.isOfAnother(failure)) {
                throw failure;
            }
            return applyLive(task, true);
        }
    }

    /**
     * @param stored the same as JSON; is changed
     */
    private <T extends HasMetadata> boolean isApplied(Task<T> task, T current, ObjectNode stored) {
        return isSameDesired(task, current) && isCovered(task, stored);
    }

    /** Whether the same was desired last time, as far as that is known. */
    private <T extends HasMetadata> boolean isSameDesired(Task<T> task, T current) {
        return last.fingerprint(task.place(), current)
                .map(task.configuration().fingerprint()::equals)
                .orElse(true);
    }

    private <T extends HasMetadata> boolean isCovered(Task<T> task, ObjectNode stored) {
        return shape(task.type())
                        .filter(known -> Coverage.covers(
                                known, stored, task.configuration().body()))
                        .isPresent()
                || last.hasContent(task.place(), stored);
    }

    private <T extends HasMetadata> boolean isMetadataCovered(Task<T> task, T current) {
        ObjectNode desired = JsonNodeFactory.instance.objectNode();
        desired.set("metadata", task.configuration().body().path("metadata"));
        return shape(task.type())
                .filter(known -> Coverage.covers(known, api.json(current), desired))
                .isPresent();
    }

    private <T extends HasMetadata> T withoutOthers(Task<T> task, T current, ObjectNode stored) {
        Optional<Shape> shape = task.how().wholeLists().isEmpty() ? Optional.empty() : shape(task.type());
        if (shape.isEmpty()) {
            return current;
        }
        return requests.correct(
                        task.type(),
                        current,
                        new WholeLists(task.how().wholeLists())
                                .correction(
                                        shape.get(),
                                        stored,
                                        task.configuration().body()))
                .map(corrected -> remembered(task, corrected))
                .orElse(current);
    }

    private Optional<Shape> shape(Class<? extends HasMetadata> type) {
        return schemas.of(ObjectPaths.type(type));
    }

    /**
     * @param look whether to read before anything is created
     */
    private <T extends HasMetadata> T applyLive(Task<T> task, boolean look) {
        for (int round = 1; ; round++) {
            try {
                Optional<ApiRequests.Managed<T>> there =
                        look || round > 1 ? requests.find(task.type(), task.desired()) : Optional.empty();
                if (there.isEmpty()) {
                    task.claim().requireOther(task.desired());
                    T created = requests.create(task.type(), task.desired(), task.configuration());
                    return settled(task, created, null, true);
                }
                T live = there.get().object();
                task.claim().require(live, there.get().managers());
                return sent(task, live, false);
            } catch (KubernetesClientException failure) {
                if (round == ROUNDS || !ApplyRequests.isOfAnother(failure)) {
                    throw failure;
                }
            }
        }
    }

    /**
     * @param whole whether others' elements have been sought in the lists that are decided as a whole
     */
    private <T extends HasMetadata> T sent(Task<T> task, T current, boolean whole) {
        T answer = requests.apply(
                task.type(), current, task.configuration(), task.how().forces());
        return settled(task, answer, current, whole);
    }

    private <T extends HasMetadata> T settled(Task<T> task, T answer, @Nullable T before, boolean whole) {
        if (task.watch() != Watch.NONE) {
            last.applied(task.place(), answer, task.configuration(), api.json(answer), whole);
        }
        ApplyRequests.report(answer, before);
        return remembered(task, answer);
    }

    private <T extends HasMetadata> T remembered(Task<T> task, T answer) {
        if (task.watch() != Watch.NONE) {
            writes.remember(answer);
        }
        return answer;
    }

    private <T extends HasMetadata> @Nullable Lister<T> store(Class<T> type) {
        try {
            return stores.lister(type);
        } catch (IllegalArgumentException notWatched) {
            return null;
        }
    }
}
