package io.busbar.common.watch;

import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which objects to watch, and what to keep of each. Equal specs share one watch, whoever declares them and whatever
 * predicates, mappings and indexes come with them; a {@link Transform} is equal by its name.
 *
 * <p>Immutable; each method returns a changed copy.
 *
 * @param type the model class that readers get
 * @param resource the kind as the API server serves it
 * @param namespaces to watch, a stream each; empty for all
 * @param labelSelector in the syntax of the API; empty for all
 * @param fieldSelector in the syntax of the API; empty for all
 * @param metadataOnly whether to fetch {@code metadata} alone (PartialObjectMetadata)
 * @param fields dotted paths of what to keep, through lists too ({@code spec.containers.name}), beside apiVersion, kind and
 *     metadata's identity (name, namespace, uid, resourceVersion, generation, deletionTimestamp), which are always kept;
 *     {@code metadata.annotations[kruise.io/*]} keeps the members whose names begin so; empty to keep all but managedFields
 * @param transform applied to each object before it is stored; null for none
 * @param cluster which of those that the operator works in; empty for where the primaries of the controller are, which is
 *     the operator's own if nothing else is said
 */
public record WatchSpec<T extends HasMetadata>(
        Class<T> type,
        ResourceType resource,
        Set<String> namespaces,
        String labelSelector,
        String fieldSelector,
        boolean metadataOnly,
        Set<String> fields,
        @Nullable Transform<T> transform,
        String cluster) {

    private static final Pattern PATH = Pattern.compile("[^\\[\\]*]+(\\[[^\\[\\]*]+\\*])?");

    /**
     * @throws IllegalArgumentException naming the path of a field that is none
     */
    public WatchSpec {
        namespaces = sorted(namespaces);
        fields = sorted(fields);
        for (String path : fields) {
            if (!PATH.matcher(path).matches()) {
                throw new IllegalArgumentException(
                        "field '" + path + "' is not allowed; allowed: a dotted path, [PREFIX*] after it");
            }
        }
    }

    /** All objects of a type, whole but for managedFields. */
    public static <T extends HasMetadata> WatchSpec<T> of(Class<T> type) {
        return new WatchSpec<>(type, ResourceType.of(type), Set.of(), "", "", false, Set.of(), null, "");
    }

    public WatchSpec<T> inNamespaces(Set<String> names) {
        return new WatchSpec<>(
                type, resource, names, labelSelector, fieldSelector, metadataOnly, fields, transform, cluster);
    }

    /** In another cluster than the operator's own. */
    public WatchSpec<T> inCluster(String name) {
        return new WatchSpec<>(
                type, resource, namespaces, labelSelector, fieldSelector, metadataOnly, fields, transform, name);
    }

    public WatchSpec<T> withLabels(String selector) {
        return new WatchSpec<>(
                type, resource, namespaces, selector, fieldSelector, metadataOnly, fields, transform, cluster);
    }

    public WatchSpec<T> withFields(String selector) {
        return new WatchSpec<>(
                type, resource, namespaces, labelSelector, selector, metadataOnly, fields, transform, cluster);
    }

    public WatchSpec<T> metadataOnlyWatch() {
        return new WatchSpec<>(
                type, resource, namespaces, labelSelector, fieldSelector, true, fields, transform, cluster);
    }

    public WatchSpec<T> keeping(String... paths) {
        return new WatchSpec<>(
                type,
                resource,
                namespaces,
                labelSelector,
                fieldSelector,
                metadataOnly,
                Set.of(paths),
                transform,
                cluster);
    }

    /**
     * Changes each object before it is stored.
     *
     * @param name by which equal transforms are known: what two lambdas do can't be compared
     * @param function must not block and must keep the identity
     */
    public WatchSpec<T> transformedBy(String name, UnaryOperator<T> function) {
        return new WatchSpec<>(
                type,
                resource,
                namespaces,
                labelSelector,
                fieldSelector,
                metadataOnly,
                fields,
                new Transform<>(name, function),
                cluster);
    }

    private static Set<String> sorted(Set<String> values) {
        return java.util.Collections.unmodifiableSortedSet(new TreeSet<>(values));
    }
}
