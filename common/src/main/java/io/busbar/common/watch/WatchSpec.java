package io.busbar.common.watch;

import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
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
 * @param fields dotted paths of what to keep, through lists too ({@code spec.containers.name}), beside apiVersion, kind
 *     and metadata's identity (name, namespace, uid, resourceVersion, generation, deletionTimestamp), which are always
 *     kept; {@code metadata.annotations[kruise.io/*]} keeps the members whose names begin so; empty to keep all but
 *     managedFields
 * @param transform applied to each object before it is stored; null for none
 * @param cluster which of those that the operator works in; empty for where the primaries of the controller are, which
 *     is the operator's own if nothing else is said
 * @param sharded whether a replica that shares the work with others needs to keep only objects that its own primaries
 *     control, and those that nobody controls; of no effect where one replica works on all
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
        String cluster,
        boolean sharded) {

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
        return new WatchSpec<>(type, ResourceType.of(type), Set.of(), "", "", false, Set.of(), null, "", false);
    }

    public WatchSpec<T> inNamespaces(Set<String> names) {
        return changed(copy -> copy.namespaces = names);
    }

    /** In another cluster than the operator's own. */
    public WatchSpec<T> inCluster(String name) {
        return changed(copy -> copy.cluster = name);
    }

    public WatchSpec<T> withLabels(String selector) {
        return changed(copy -> copy.labelSelector = selector);
    }

    public WatchSpec<T> withFields(String selector) {
        return changed(copy -> copy.fieldSelector = selector);
    }

    public WatchSpec<T> metadataOnlyWatch() {
        return changed(copy -> copy.metadataOnly = true);
    }

    public WatchSpec<T> keeping(String... paths) {
        return changed(copy -> copy.fields = Set.of(paths));
    }

    /**
     * Changes each object before it is stored.
     *
     * @param name by which equal transforms are known: what two lambdas do can't be compared
     * @param function must not block and must keep the identity
     */
    public WatchSpec<T> transformedBy(String name, UnaryOperator<T> function) {
        return changed(copy -> copy.transform = new Transform<>(name, function));
    }

    /**
     * One that keeps no more than a replica that shares the work needs, of objects that are read by who controls them.
     */
    public WatchSpec<T> shardedWatch() {
        return changed(copy -> copy.sharded = true);
    }

    /** One that keeps all objects, whichever replica works on those that control them. */
    public WatchSpec<T> wholeWatch() {
        return changed(copy -> copy.sharded = false);
    }

    private WatchSpec<T> changed(Consumer<Copy<T>> change) {
        Copy<T> copy = new Copy<>(this);
        change.accept(copy);
        return copy.spec();
    }

    /** What can be changed of a spec. */
    private static final class Copy<T extends HasMetadata> {

        private final WatchSpec<T> original;
        private Set<String> namespaces;
        private String labelSelector;
        private String fieldSelector;
        private boolean metadataOnly;
        private Set<String> fields;
        private @Nullable Transform<T> transform;
        private String cluster;
        private boolean sharded;

        Copy(WatchSpec<T> original) {
            this.original = original;
            this.namespaces = original.namespaces;
            this.labelSelector = original.labelSelector;
            this.fieldSelector = original.fieldSelector;
            this.metadataOnly = original.metadataOnly;
            this.fields = original.fields;
            this.transform = original.transform;
            this.cluster = original.cluster;
            this.sharded = original.sharded;
        }

        WatchSpec<T> spec() {
            return new WatchSpec<>(
                    original.type,
                    original.resource,
                    namespaces,
                    labelSelector,
                    fieldSelector,
                    metadataOnly,
                    fields,
                    transform,
                    cluster,
                    sharded);
        }
    }

    private static Set<String> sorted(Set<String> values) {
        return java.util.Collections.unmodifiableSortedSet(new TreeSet<>(values));
    }
}
