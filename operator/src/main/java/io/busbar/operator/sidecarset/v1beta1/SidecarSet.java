package io.busbar.operator.sidecarset.v1beta1;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import java.util.Optional;

/**
 * Containers that are injected into each new Pod that matches, and kept up to date in place. Cluster-scoped.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 *
 * <p>Source: OpenKruise's {@code apps.kruise.io/v1beta1}, with which it is compatible.
 */
@Group(SidecarSet.GROUP)
@Version("v1beta1")
@Kind("SidecarSet")
@Plural("sidecarsets")
@Singular("sidecarset")
@AdditionalPrinterColumn(
        name = "MATCHED",
        jsonPath = ".status.matchedPods",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "UPDATED",
        jsonPath = ".status.updatedPods",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "READY", jsonPath = ".status.readyPods", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "AGE",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class SidecarSet extends RecordResource<SidecarSet, SidecarSetSpec, SidecarSetStatus> {

    public static final String GROUP = "apps.kruise.io";

    /** Annotation: hash of the containers. */
    public static final String HASH = "kruise.io/sidecarset-hash";

    /** Annotation: hash of the containers but for their images. */
    public static final String HASH_WITHOUT_IMAGE = "kruise.io/sidecarset-hash-without-image";

    /** Label of a revision: the set's custom version at that time. In v1alpha1 it is a label of the set itself. */
    public static final String CUSTOM_VERSION = "apps.kruise.io/sidecarset-custom-version";

    /**
     * Annotation: {@code "true"} on a set that stands in for another, the one of {@link #BASE}, for the Pods that it
     * matches.
     */
    public static final String CANARY = "apps.kruise.io/sidecarset-canary";

    /** Annotation: name of the set that a canary stands in for. */
    public static final String BASE = "apps.kruise.io/sidecarset-base";

    private static final long serialVersionUID = 1L;

    /** Name of the set that this one stands in for; empty where it is no canary. */
    public Optional<String> canaryOf() {
        Map<String, String> annotations = getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(CANARY))
                ? Optional.ofNullable(annotations.get(BASE))
                : Optional.empty();
    }
}
