package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.EventRecorder;
import io.busbar.reconciler.FieldConflictException;
import io.busbar.reconciler.ObjectNotOwnedException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells by an Event of each primary, and in the log, what could not be applied for it as somebody else has a hand in
 * it: once, and again only when that has been otherwise.
 *
 * <p>Any thread, one at a time for each primary.
 */
final class Refusals {

    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    private final EventRecorder events;
    private final Map<ObjectKey, Map<Refused, String>> told = new ConcurrentHashMap<>();

    private record Refused(Class<?> type, ObjectKey key) {
        static Refused of(HasMetadata object) {
            return new Refused(object.getClass(), ObjectKey.of(object));
        }
    }

    Refusals(EventRecorder events) {
        this.events = events;
    }

    /** It could be applied. */
    void over(HasMetadata primary, HasMetadata object) {
        if (told.isEmpty()) {
            return;
        }
        Map<Refused, String> ofPrimary = told.get(ObjectKey.of(primary));
        if (ofPrimary != null) {
            ofPrimary.remove(Refused.of(object));
        }
    }

    void tell(HasMetadata primary, HasMetadata object, ObjectNotOwnedException why) {
        tell(primary, object, ObjectNotOwnedException.REASON, why);
    }

    void tell(HasMetadata primary, HasMetadata object, FieldConflictException why) {
        tell(primary, object, FieldConflictException.REASON, why);
    }

    private void tell(HasMetadata primary, HasMetadata object, String reason, KubernetesClientException why) {
        String message = String.valueOf(why.getMessage());
        String before = told.computeIfAbsent(ObjectKey.of(primary), key -> new ConcurrentHashMap<>())
                .put(Refused.of(object), message);
        if (!message.equals(before)) {
            log.atError()
                    .addKeyValue("kind", object.getKind())
                    .addKeyValue("object", ObjectKey.of(object))
                    .addKeyValue("error", message)
                    .log("somebody else has a hand in a dependent");
            events.warning(primary, reason, "Apply", message);
        }
    }

    /** Drops what was told of a primary that is gone. */
    void forget(ObjectKey primary) {
        told.remove(primary);
    }
}
