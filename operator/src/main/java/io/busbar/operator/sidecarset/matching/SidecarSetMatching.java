package io.busbar.operator.sidecarset.matching;

import io.busbar.operator.sidecarset.v1alpha1.SidecarSetSpec;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which Pods one SidecarSet selects: by the Pod's labels, and by its namespace's name or labels.
 *
 * <p>A set without a selector, or with an empty one, selects nothing. {@code spec.namespace} wins over
 * {@code spec.namespaceSelector}; with neither, every namespace is selected. A namespace has the label
 * {@code kubernetes.io/metadata.name} here even where the API server does not set it (Kubernetes before 1.21).
 *
 * <p>Immutable; asking it allocates nothing.
 */
public final class SidecarSetMatching {

    static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    private final CompiledSelector pods;
    private final String namespace;
    private final @Nullable CompiledSelector namespaces;

    private SidecarSetMatching(CompiledSelector pods, String namespace, @Nullable CompiledSelector namespaces) {
        this.pods = pods;
        this.namespace = namespace;
        this.namespaces = namespaces;
    }

    /**
     * @throws IllegalArgumentException when a selector is not one that the API knows
     */
    public static SidecarSetMatching of(SidecarSetSpec spec) {
        return new SidecarSetMatching(
                Selectors.isEmpty(spec.selector()) ? CompiledSelector.of(null) : CompiledSelector.of(spec.selector()),
                spec.namespace() == null ? "" : spec.namespace(),
                spec.namespaceSelector() == null ? null : CompiledSelector.of(spec.namespaceSelector()));
    }

    /**
     * @param podLabels null for none
     * @param namespaceLabels null for none
     */
    public boolean matches(
            @Nullable Map<String, String> podLabels,
            String podNamespace,
            @Nullable Map<String, String> namespaceLabels) {
        return matchesLabels(podLabels) && matchesNamespace(podNamespace, namespaceLabels);
    }

    /** The Pod's labels alone. */
    public boolean matchesLabels(@Nullable Map<String, String> podLabels) {
        return pods.matches(podLabels);
    }

    /** The namespace alone. */
    public boolean matchesNamespace(String name, @Nullable Map<String, String> labels) {
        if (!namespace.isEmpty()) {
            return namespace.equals(name);
        }
        return namespaces == null || namespaces.matches(labels, NAMESPACE_NAME, name);
    }

    /** Why a Pod is not selected, for people; empty if it is. */
    public Optional<String> mismatch(
            @Nullable Map<String, String> podLabels,
            String podNamespace,
            @Nullable Map<String, String> namespaceLabels) {
        Optional<String> byLabels = pods.mismatch(podLabels, "", "").map(reason -> "the Pod's " + reason);
        if (byLabels.isPresent() || matchesNamespace(podNamespace, namespaceLabels)) {
            return byLabels;
        }
        return Optional.of(
                namespaces == null || !namespace.isEmpty()
                        ? "it is for namespace " + namespace
                        : "the namespace's "
                                + namespaces
                                        .mismatch(namespaceLabels, NAMESPACE_NAME, podNamespace)
                                        .orElse("labels"));
    }

    /** Whether the namespace's labels are of no account, so that they need not be looked up. */
    public boolean ignoresNamespaceLabels() {
        return !namespace.isEmpty() || namespaces == null;
    }
}
