package io.busbar.operator.sidecarset.matching;

import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which Pods one SidecarSet selects: by the Pod's labels, and by its namespace's.
 *
 * <p>A set without a selector, or with an empty one, selects nothing; without a {@code namespaceSelector}, it selects
 * in every namespace. A namespace has the label {@link #NAMESPACE_NAME} here even where the API server does not set it
 * (Kubernetes before 1.21).
 *
 * <p>Immutable; asking it allocates nothing.
 */
public final class SidecarSetMatching {

    /** Label of a namespace: its name. */
    public static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    private final CompiledSelector pods;
    private final @Nullable CompiledSelector namespaces;

    private SidecarSetMatching(CompiledSelector pods, @Nullable CompiledSelector namespaces) {
        this.pods = pods;
        this.namespaces = namespaces;
    }

    /**
     * @throws IllegalArgumentException when a selector is not one that the API knows
     */
    public static SidecarSetMatching of(SidecarSetSpec spec) {
        return new SidecarSetMatching(
                Selectors.isEmpty(spec.selector()) ? CompiledSelector.of(null) : CompiledSelector.of(spec.selector()),
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
        return namespaces == null || namespaces.matches(labels, NAMESPACE_NAME, name);
    }

    /** Why a Pod is not selected, for people; empty if it is. */
    public Optional<String> mismatch(
            @Nullable Map<String, String> podLabels,
            String podNamespace,
            @Nullable Map<String, String> namespaceLabels) {
        Optional<String> byLabels = pods.mismatch(podLabels, "", "").map(reason -> "the Pod's " + reason);
        return byLabels.isPresent() || namespaces == null
                ? byLabels
                : namespaces
                        .mismatch(namespaceLabels, NAMESPACE_NAME, podNamespace)
                        .map(reason -> "the namespace's " + reason);
    }
}
