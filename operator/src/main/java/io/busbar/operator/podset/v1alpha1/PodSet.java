package io.busbar.operator.podset.v1alpha1;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A number of equal Pods. It can be scaled by {@code kubectl scale} and by a HorizontalPodAutoscaler.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
@Group("apps.jicki.cn")
@Version("v1alpha1")
@Kind("PodSet")
@Plural("podsets")
@Singular("podset")
@AdditionalPrinterColumn(name = "Size", jsonPath = ".spec.size", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.readyReplicas",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class PodSet extends RecordResource<PodSet, PodSetSpec, PodSetStatus> implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    @Required
    public PodSetSpec getSpec() {
        return super.getSpec();
    }
}
