package io.busbar.operator.podbugger.v1beta1;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A container to debug with, put into each ready Pod that has a label. Namespaced.
 *
 * <p>For the thread that holds it: mutable as all of the client's models are.
 */
@Group("ualter.com")
@Version("v1beta1")
@Kind("Podbuggertool")
@Plural("podbuggertools")
@Singular("podbuggertool")
@ShortNames("pbt")
@AdditionalPrinterColumn(name = "Label", jsonPath = ".spec.label")
@AdditionalPrinterColumn(name = "Image", jsonPath = ".spec.image")
@AdditionalPrinterColumn(
        name = "Matched",
        jsonPath = ".status.matchedPods",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Installed",
        jsonPath = ".status.installed",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class Podbuggertool extends RecordResource<Podbuggertool, PodbuggertoolSpec, PodbuggertoolStatus>
        implements Namespaced {

    private static final long serialVersionUID = 1L;

    @Override
    @Required
    public PodbuggertoolSpec getSpec() {
        return super.getSpec();
    }
}
