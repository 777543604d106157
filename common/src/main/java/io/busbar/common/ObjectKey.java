package io.busbar.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Namespace and name: what identifies an object among those of its kind.
 *
 * <p>Immutable. Ordered by namespace, then name.
 *
 * @param namespace empty for a cluster-scoped object, never null
 * @param name never empty
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {

    private static final Comparator<ObjectKey> ORDER =
            Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

    public ObjectKey {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an object's name is empty (namespace: '" + namespace + "')");
        }
    }

    /** The key of a namespaced object; null or an empty namespace stands for the cluster scope. */
    public static ObjectKey of(@Nullable String namespace, String name) {
        return new ObjectKey(namespace == null ? "" : namespace, name);
    }

    /** The key of a cluster-scoped object. */
    public static ObjectKey of(String name) {
        return new ObjectKey("", name);
    }

    /** The key of an object that has a name. */
    public static ObjectKey of(HasMetadata object) {
        return of(object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    /**
     * Reads what {@link #toString()} writes.
     *
     * @throws IllegalArgumentException when the text is neither {@code name} nor {@code namespace/name}
     */
    public static ObjectKey parse(String text) {
        int slash = text.indexOf('/');
        if (slash != text.lastIndexOf('/')) {
            throw new IllegalArgumentException("not a key: '" + text + "', allowed: name or namespace/name");
        }
        return slash < 0 ? of(text) : of(text.substring(0, slash), text.substring(slash + 1));
    }

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }

    /** {@code namespace/name}, or {@code name} alone in the cluster scope. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
