package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.reconciler.write.GeneratedNames.Choice;
import io.busbar.reconciler.write.GeneratedNames.Series;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and deletes objects that cannot be applied, such as Pods of which there are to be so many, whatever their
 * names.
 *
 * <p>A create whose answer is lost (no answer, or one that does not tell whether it was carried out) is in doubt. It is
 * never made in addition: a name is chosen before the request, and the next create for the same owner and
 * {@code generateName} has the same one. What is there by then is taken for the object that was to be created if the
 * owner controls it. Names in doubt are forgotten when the process ends; the first list of the next one shows what has
 * come of them.
 *
 * <p>Any thread; blocks. What it wrote is laid over the stores.
 */
public final class ObjectWriter {

    private static final Logger log = LoggerFactory.getLogger(ObjectWriter.class);

    /** How many names that others have are passed over; the API server itself tries eight. */
    private static final int MOST_NAMES = 8;

    private final String fieldManager;
    private final ApiRequests api;
    private final Listers stores;
    private final OwnWrites writes;
    private final GeneratedNames names =
            new GeneratedNames(bound -> ThreadLocalRandom.current().nextInt(bound));

    /**
     * @param stores without own writes
     */
    public ObjectWriter(String fieldManager, ApiRequests api, Listers stores, OwnWrites writes) {
        this.fieldManager = fieldManager;
        this.api = api;
        this.stores = stores;
        this.writes = writes;
    }

    /**
     * @param desired of a watched kind, with a name or a {@code generateName}
     * @param owner becomes the controlling owner where the object has none and may have this one
     * @return the object as it is now
     * @throws IllegalArgumentException when the kind is not watched
     */
    public <T extends HasMetadata> T create(T desired, HasMetadata owner) {
        return create(desired, owner, true);
    }

    /**
     * The same for an object that may be in another cluster than its owner, who does not control it then.
     *
     * @param here whether both are in one
     */
    public <T extends HasMetadata> T create(T desired, HasMetadata owner, boolean here) {
        @SuppressWarnings("unchecked") // an object's class is a class of its type
        Class<T> type = (Class<T>) desired.getClass();
        Lister<T> known = writes.over(stores).lister(type);
        ObjectNode body = api.json(desired);
        Optional<OwnerReference> controller = ControllerReference.to(owner, here, desired);
        controller.ifPresent(reference -> body.withObjectProperty("metadata")
                .withArrayProperty("ownerReferences")
                .add(api.json(reference)));
        Creation<T> creation = new Creation<>(type, ObjectPaths.collection(desired), body, known, controller);
        String name = desired.getMetadata().getName();
        if (name != null && !name.isEmpty()) {
            return creation.named(name);
        }
        return creation.ofSeries(new Series(
                type,
                Objects.requireNonNullElse(desired.getMetadata().getNamespace(), ""),
                Objects.requireNonNullElse(desired.getMetadata().getGenerateName(), ""),
                ObjectKey.of(owner),
                owner.getMetadata().getUid()));
    }

    /** The owner is gone. */
    public void deleted(ObjectKey owner) {
        names.forget(owner);
    }

    private final class Creation<T extends HasMetadata> {

        private final Class<T> type;
        private final String collection;
        private final ObjectNode body;
        private final Lister<T> known;
        private final Optional<OwnerReference> controller;

        Creation(
                Class<T> type,
                String collection,
                ObjectNode body,
                Lister<T> known,
                Optional<OwnerReference> controller) {
            this.type = type;
            this.collection = collection;
            this.body = body;
            this.known = known;
            this.controller = controller;
        }

        T named(String name) {
            try {
                return post(name);
            } catch (KubernetesClientException failure) {
                if (!isTaken(failure) || isKnown(name)) {
                    throw failure;
                }
                return own(name, false).orElseThrow(() -> failure);
            }
        }

        T ofSeries(Series series) {
            for (int tries = 1; ; tries++) {
                Choice choice = names.next(series, this::isKnown);
                try {
                    return post(choice.name());
                } catch (KubernetesClientException failure) {
                    if (!isTaken(failure)) {
                        if (choice.doubtful() || isDoubtful(failure)) {
                            names.doubt(series, choice.name());
                        }
                        throw failure;
                    }
                    Optional<T> there = taken(series, choice);
                    if (there.isPresent()) {
                        return there.get();
                    }
                    if (tries == MOST_NAMES) {
                        throw failure;
                    }
                }
            }
        }

        /** What has the name already, if it is what was to be created. */
        private Optional<T> taken(Series series, Choice choice) {
            try {
                return own(choice.name(), choice.doubtful());
            } catch (KubernetesClientException unknown) {
                names.doubt(series, choice.name());
                throw unknown;
            }
        }

        private T post(String name) {
            body.withObjectProperty("metadata").put("name", name);
            T created = api.create(
                    type,
                    collection + "?fieldManager=" + URLEncoder.encode(fieldManager, StandardCharsets.UTF_8),
                    body);
            writes.remember(created);
            report("created", created);
            return created;
        }

        private Optional<T> own(String name, boolean doubtful) {
            Optional<T> there = api.find(type, collection + "/" + name).filter(object -> isOwn(object, doubtful));
            there.ifPresent(writes::rememberRead);
            return there.filter(object -> !object.isMarkedForDeletion());
        }

        /** Without an owner that controls it, it can only be the one that is in doubt. */
        private boolean isOwn(T object, boolean doubtful) {
            return controller
                    .map(owner -> object.getMetadata().getOwnerReferences().stream()
                            .anyMatch(reference -> Boolean.TRUE.equals(reference.getController())
                                    && owner.getUid().equals(reference.getUid())))
                    .orElse(doubtful);
        }

        private boolean isKnown(String name) {
            String namespace = body.path("metadata").path("namespace").asText("");
            return known.get(ObjectKey.of(namespace, name)).isPresent();
        }
    }

    /** Whether another object has the name, as opposed to a quota that was changed meanwhile. */
    private static boolean isTaken(KubernetesClientException failure) {
        boolean conflict = ApiFailure.of(failure) instanceof ApiFailure.Conflict;
        return conflict
                && (failure.getStatus() == null
                        || !"Conflict".equals(failure.getStatus().getReason()));
    }

    /** Whether the API server may have carried out the request all the same. */
    private static boolean isDoubtful(KubernetesClientException failure) {
        return ApiFailure.of(failure) instanceof ApiFailure.Unavailable;
    }

    /**
     * Unless it is gone, or another one has its name by now. A Job goes with its Pods. Reads show it as being deleted
     * from now on, until the store does or shows it no more.
     *
     * @param object of a watched kind, as it was read
     * @param gracePeriod rounded up to whole seconds, as 0 would take the object away at once; the object's own if
     *     empty
     * @throws IllegalArgumentException when the kind is not watched
     */
    public void delete(HasMetadata object, Optional<Duration> gracePeriod) {
        stores.lister(object.getClass());
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.put("apiVersion", "v1").put("kind", "DeleteOptions");
        options.withObjectProperty("preconditions")
                .put("uid", object.getMetadata().getUid());
        gracePeriod.ifPresent(grace -> options.put(
                "gracePeriodSeconds", grace.plusSeconds(1).minusNanos(1).toSeconds()));
        if (leavesPods(object)) {
            options.put("propagationPolicy", DeletionPropagation.BACKGROUND.toString());
        }
        try {
            api.delete(ObjectPaths.of(object), options);
            report("deleted", object);
        } catch (KubernetesClientException failure) {
            ApiFailure kind = ApiFailure.of(failure);
            if (!(kind instanceof ApiFailure.NotFound) && !(kind instanceof ApiFailure.Conflict)) {
                throw failure;
            }
        }
        writes.rememberDeletion(api.copy(object));
    }

    /** Whether the API server would leave its Pods running, unless it is told otherwise. */
    private static boolean leavesPods(HasMetadata object) {
        return object.getKind().equals("Job") && object.getApiVersion().startsWith("batch/");
    }

    private static void report(String what, HasMetadata object) {
        log.atInfo()
                .addKeyValue("kind", object.getKind())
                .addKeyValue("object", ObjectKey.of(object))
                .log(what);
    }
}
