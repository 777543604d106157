package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.reconciler.Apply;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How the last apply of each object left it.
 *
 * <p>Any thread, one at a time for each object.
 */
final class AppliedObjects {

    /** What changes when others write to an object, or its status, and says nothing of what is desired. */
    private static final List<String> VOLATILE = List.of("resourceVersion", "generation", "managedFields");

    private final Map<Place, Applied> last = new ConcurrentHashMap<>();

    record Place(Class<?> type, ObjectKey key) {}

    /**
     * @param fingerprint of what was desired
     * @param content a fingerprint of the object, status aside; null when it was not this applier's request that made
     *     it so
     * @param whole whether others' elements have been sought in the lists that are decided as a whole
     * @param generation null for an object that has none
     */
    private record Applied(
            String uid,
            String version,
            String fingerprint,
            @Nullable String content,
            boolean whole,
            @Nullable Long generation) {

        boolean isEnoughFor(Apply how) {
            return whole || how.wholeLists().isEmpty();
        }
    }

    private @Nullable Applied of(Place place, HasMetadata current) {
        Applied applied = last.get(place);
        return applied != null && applied.uid().equals(uid(current)) ? applied : null;
    }

    /** Whether this object has been applied, or was found to be as desired. */
    boolean isKnown(Place place, HasMetadata current) {
        return of(place, current) != null;
    }

    /** Of what was desired of this object; empty when that is not known. */
    Optional<String> fingerprint(Place place, HasMetadata current) {
        return Optional.ofNullable(of(place, current)).map(Applied::fingerprint);
    }

    /** Whether nobody has written to the object since, and the same is desired. */
    boolean isAsLeft(Place place, HasMetadata current, Configuration configuration, Apply how) {
        Applied applied = of(place, current);
        return applied != null
                && applied.version().equals(version(current))
                && applied.fingerprint().equals(configuration.fingerprint())
                && applied.isEnoughFor(how);
    }

    /** Whether nobody has written to the spec of an object since; false where it has no generation, which tells that. */
    boolean hasSpecAsLeft(Place place, HasMetadata current, Apply how) {
        Applied applied = of(place, current);
        return applied != null
                && applied.generation() != null
                && applied.generation().equals(current.getMetadata().getGeneration())
                && applied.isEnoughFor(how);
    }

    /** Whether an object is what the last apply made of it, its status aside. */
    boolean hasContent(Place place, ObjectNode current) {
        Applied applied = last.get(place);
        return applied != null && content(current).equals(applied.content());
    }

    /** The object was found to be as desired. */
    void found(Place place, HasMetadata current, Configuration configuration, boolean whole) {
        Applied before = of(place, current);
        last.put(
                place,
                new Applied(
                        uid(current),
                        version(current),
                        configuration.fingerprint(),
                        before == null ? null : before.content(),
                        whole,
                        current.getMetadata().getGeneration()));
    }

    /**
     * The object was applied.
     *
     * @param json the answer once more; is changed
     */
    void applied(Place place, HasMetadata answer, Configuration configuration, ObjectNode json, boolean whole) {
        last.put(
                place,
                new Applied(
                        uid(answer),
                        version(answer),
                        configuration.fingerprint(),
                        content(json),
                        whole,
                        answer.getMetadata().getGeneration()));
    }

    void forget(Place place) {
        last.remove(place);
    }

    /** @param object is changed */
    private static String content(ObjectNode object) {
        object.remove("status");
        object.withObjectProperty("metadata").remove(VOLATILE);
        return Fingerprint.of(object);
    }

    private static String uid(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getUid(), "");
    }

    private static String version(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), "");
    }
}
