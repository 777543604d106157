package io.busbar.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Namespace and name: what identifies an object among those of its kind in a cluster; and which cluster that is, where
 * an operator works in several.
 *
 * <p>Immutable. Ordered by cluster, then namespace, then name.
 *
 * @param namespace empty for a cluster-scoped object, never null
 * @param name never empty
 * @param cluster empty for the operator's own
 */
public record ObjectKey(String namespace, String name, String cluster) implements Comparable<ObjectKey> {

    private static final Comparator<ObjectKey> ORDER = Comparator.comparing(ObjectKey::cluster)
            .thenComparing(ObjectKey::namespace)
            .thenComparing(ObjectKey::name);

    public ObjectKey {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an object's name is empty (namespace: '" + namespace + "')");
        }
    }

    /** One in the operator's own cluster. */
    public ObjectKey(String namespace, String name) {
        this(namespace, name, "");
    }

    /** The key of a namespaced object; null or an empty namespace stands for the cluster scope. */
    public static ObjectKey of(@Nullable String namespace, String name) {
        return new ObjectKey(namespace == null ? "" : namespace, name);
    }

    /** The key of a cluster-scoped object. */
    public static ObjectKey of(String name) {
        return new ObjectKey("", name);
    }

    /** The key of an object that has a name; of its cluster an object says nothing. */
    public static ObjectKey of(HasMetadata object) {
        return of(object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    /**
     * Reads what {@link #toString()} writes.
     *
     * @throws IllegalArgumentException when the text is neither {@code name} nor {@code namespace/name} nor {@code
     *     cluster/namespace/name}
     */
    public static ObjectKey parse(String text) {
        String[] parts = text.split("/", -1);
        return switch (parts.length) {
            case 1 -> of(text);
            case 2 -> of(parts[0], parts[1]);
            case 3 -> of(parts[1], parts[2]).in(parts[0]);
            default ->
                throw new IllegalArgumentException(
                        "not a key: '" + text + "', allowed: name, namespace/name or cluster/namespace/name");
        };
    }

    /**
     * The object of the same namespace and name in another cluster.
     *
     * @param other empty for the operator's own
     */
    public ObjectKey in(String other) {
        return cluster.equals(other) ? this : new ObjectKey(namespace, name, other);
    }

    /** Without the cluster, as who looks into one cluster has it. */
    public ObjectKey local() {
        return in("");
    }

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }

    /**
     * {@code namespace/name}, or {@code name} alone in the cluster scope; {@code cluster/namespace/name}, or {@code
     * cluster//name}, in another cluster than the operator's own.
     */
    @Override
    public String toString() {
        if (!cluster.isEmpty()) {
            return cluster + "/" + namespace + "/" + name;
        }
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
