package io.busbar.operator.sidecarset.v1alpha1;

import io.busbar.common.RecordResource;
import io.busbar.manifests.crd.Converted;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A SidecarSet as OpenKruise had it before 1.9: a namespace can be named, and the custom version is a label.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
@Group(io.busbar.operator.sidecarset.v1beta1.SidecarSet.GROUP)
@Version(value = "v1alpha1", storage = false)
@Converted
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

    private static final long serialVersionUID = 1L;
}
