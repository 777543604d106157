package io.busbar.reconciler.write;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceVersions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whole objects of kinds whose watches keep only a part of them, such as large Secrets of which only the metadata is
 * watched: fetched when they are read, and kept until the watch shows a newer version, or others need the room.
 *
 * <p>Any thread; blocks where it has to ask. A lock is held for a lookup, never for a request. One for all controllers
 * of an operator.
 */
public final class FetchedObjects {

    /** What an operator keeps. */
    public static final long STANDARD_BYTES = 8 << 20;

    private final ApiRequests api;
    private final long maxBytes;
    /** The one that was not read for longest first. */
    private final Map<Place, Fetched> kept = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    private record Place(Class<?> type, ObjectKey key) {}

    private record Fetched(HasMetadata object, int bytes) {}

    /**
     * @param maxBytes of JSON that is kept; on the heap its objects take about four times as much. One that is larger
     *     is fetched at each read.
     */
    public FetchedObjects(ApiRequests api, long maxBytes) {
        this.api = api;
        this.maxBytes = maxBytes;
    }

    /**
     * The whole of an object that a watch has seen, at least as new as that.
     *
     * @param seen as the watch keeps it
     * @return empty where it is gone by now, or another object of its name is there
     */
    public <T extends HasMetadata> Optional<T> whole(Class<T> type, T seen) {
        Place place = new Place(type, ObjectKey.of(seen));
        HasMetadata known = known(place);
        if (known != null && isOf(seen, known) && !isOlder(known, seen)) {
            return Optional.of(type.cast(known));
        }
        Optional<ApiRequests.Sized<T>> found = api.findSized(type, ObjectPaths.of(type, place.key()));
        found.ifPresentOrElse(whole -> keep(place, new Fetched(whole.object(), whole.bytes())), () -> forget(place));
        return found.map(ApiRequests.Sized::object).filter(whole -> isOf(seen, whole));
    }

    /** An object is gone. */
    public void forget(Class<?> type, ObjectKey key) {
        forget(new Place(type, key));
    }

    private synchronized @Nullable HasMetadata known(Place place) {
        Fetched fetched = kept.get(place);
        return fetched == null ? null : fetched.object();
    }

    private synchronized void keep(Place place, Fetched fetched) {
        Fetched before = kept.get(place);
        if (before != null && isOf(before.object(), fetched.object()) && isOlder(fetched.object(), before.object())) {
            return; // answers can come in another order than they were given
        }
        forget(place);
        if (fetched.bytes() > maxBytes) {
            return;
        }
        kept.put(place, fetched);
        bytes += fetched.bytes();
        Iterator<Fetched> eldest = kept.values().iterator();
        while (bytes > maxBytes) {
            bytes -= eldest.next().bytes();
            eldest.remove();
        }
    }

    private synchronized void forget(Place place) {
        Fetched before = kept.remove(place);
        bytes -= before == null ? 0 : before.bytes();
    }

    private static boolean isOf(HasMetadata one, HasMetadata other) {
        return Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid());
    }

    /** Of versions without an order, another one counts as older. */
    private static boolean isOlder(HasMetadata one, HasMetadata other) {
        String mine = version(one);
        String others = version(other);
        return ResourceVersions.compare(mine, others).orElse(mine.equals(others) ? 0 : -1) < 0;
    }

    private static String version(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), "");
    }
}
