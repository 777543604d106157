package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server-side apply that asks the API server only if there is something to change.
 *
 * <p>No request is made when the object is as this applier's last apply left it and the same is desired; nor when it
 * {@linkplain Coverage covers} what is desired, and that is the same as last time or no time is known. So a field that
 * vanishes from what is desired is taken back, except across a restart: then the first look finds it covered. Of a kind that
 * is not watched every apply is a request.
 *
 * <p>Of an object that the owner controls, {@linkplain Ports ports} are decided on as a whole.
 *
 * <p>Any thread; blocks.
 */
public final class Applier {

    private static final Logger log = LoggerFactory.getLogger(Applier.class);

    private final String fieldManager;
    private final ApiRequests api;
    private final Listers stores;
    private final OwnWrites writes;
    private final Map<Place, Applied> last = new ConcurrentHashMap<>();

    private record Place(Class<?> type, ObjectKey key) {}

    private record Applied(String uid, String version, String fingerprint) {

        boolean isAsLeft(HasMetadata current) {
            return uid.equals(Applier.uid(current)) && version.equals(Applier.version(current));
        }
    }

    /**
     * @param stores without own writes, which this lays over them
     */
    public Applier(String fieldManager, ApiRequests api, Listers stores, OwnWrites writes) {
        this.fieldManager = fieldManager;
        this.api = api;
        this.stores = stores;
        this.writes = writes;
    }

    /**
     * @param owner becomes the controlling owner where the desired object has none and may have this one; then an object that is
     *     there already and is not controlled by it is left alone
     * @return the object as it is now
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server refuses, or is not there; with 422, as the
     *     API server refuses a second controller, for an object that is somebody else's
     */
    public <T extends HasMetadata> T apply(T desired, HasMetadata owner) {
        @SuppressWarnings("unchecked") // an object's class is a class of its type
        Class<T> type = (Class<T>) desired.getClass();
        Optional<OwnerReference> reference = ControllerReference.to(owner, desired);
        ObjectNode wanted = wanted(desired, reference);
        String fingerprint = Fingerprint.of(wanted);
        Place place = new Place(type, ObjectKey.of(desired));
        Lister<T> store = store(type);
        Optional<T> current = store == null ? Optional.empty() : writes.latest(type, place.key(), store);
        if (current.isPresent() && reference.isPresent()) {
            ControllerReference.require(current.get(), reference.get());
            current = current.map(object -> withoutOtherPorts(type, object, wanted, last.get(place)));
        }
        if (current.isPresent() && isApplied(current.get(), wanted, fingerprint, last.get(place))) {
            return current.get();
        }
        T answer = api.patch(type, path(desired, "force=true&"), ApiRequests.APPLY, wanted);
        if (store != null) {
            last.put(place, new Applied(uid(answer), version(answer), fingerprint));
            writes.remember(answer);
        }
        report(answer, current.map(Applier::version).orElse(null));
        return answer;
    }

    private <T extends HasMetadata> T withoutOtherPorts(
            Class<T> type, T current, ObjectNode wanted, @Nullable Applied before) {
        if (before != null && before.isAsLeft(current)) {
            return current;
        }
        ArrayNode correction = Ports.correction(api.json(current), wanted);
        if (correction.isEmpty()) {
            return current;
        }
        correction
                .addObject()
                .put("op", "replace")
                .put("path", "/metadata/resourceVersion")
                .put("value", version(current)); // unless somebody else was first
        T answer = api.patch(type, path(current, ""), ApiRequests.JSON_PATCH, correction);
        writes.remember(answer);
        report(answer, version(current));
        return answer;
    }

    /** Drops what is known of an object that is gone. */
    public void deleted(Class<?> type, ObjectKey key) {
        last.remove(new Place(type, key));
    }

    private boolean isApplied(HasMetadata current, ObjectNode wanted, String fingerprint, @Nullable Applied before) {
        Applied known = before != null && before.uid().equals(uid(current)) ? before : null;
        if (known != null && !known.fingerprint().equals(fingerprint)) {
            return false;
        }
        return (known != null && known.isAsLeft(current)) || Coverage.covers(api.json(current), wanted);
    }

    private <T extends HasMetadata> @Nullable Lister<T> store(Class<T> type) {
        try {
            return stores.lister(type);
        } catch (IllegalArgumentException notWatched) {
            return null;
        }
    }

    private ObjectNode wanted(HasMetadata desired, Optional<OwnerReference> controller) {
        ObjectNode wanted = api.json(desired);
        ObjectNode metadata = wanted.withObjectProperty("metadata");
        metadata.remove("managedFields");
        if (wanted.path("status").isEmpty()) {
            wanted.remove("status");
        }
        encodeStringData(wanted);
        controller.ifPresent(
                reference -> metadata.withArrayProperty("ownerReferences").add(api.json(reference)));
        return wanted;
    }

    /** The API server never gives stringData back, and server-side apply does not merge it. */
    private static void encodeStringData(ObjectNode wanted) {
        JsonNode text = wanted.path("kind").asText().equals("Secret") ? wanted.remove("stringData") : null;
        if (text != null && text.isObject()) {
            ObjectNode data = wanted.withObjectProperty("data");
            text.properties()
                    .forEach(entry -> data.put(
                            entry.getKey(),
                            Base64.getEncoder()
                                    .encodeToString(entry.getValue().asText().getBytes(StandardCharsets.UTF_8))));
        }
    }

    private String path(HasMetadata object, String options) {
        return ObjectPaths.of(object) + "?" + options + "fieldManager="
                + URLEncoder.encode(fieldManager, StandardCharsets.UTF_8);
    }

    private static void report(HasMetadata answer, @Nullable String before) {
        boolean changed = !version(answer).equals(before);
        (changed ? log.atInfo() : log.atDebug())
                .addKeyValue("kind", answer.getKind())
                .addKeyValue("object", ObjectKey.of(answer))
                .log(changed ? "applied" : "applied, nothing changed");
    }

    private static String uid(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getUid(), "");
    }

    private static String version(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), "");
    }
}
