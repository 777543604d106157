package io.busbar.blueprint.v1alpha1;

import static io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type.DATE;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * Has a plan of a Blueprint carried out once, with an instance in the same namespace. One about an instance in no
 * namespace is in that of the operator's ServiceAccounts. For the thread that holds it: mutable as all of the client's
 * models are.
 */
@Group("blueprints.busbar.io")
@Version("v1alpha1")
@AdditionalPrinterColumn(name = "Kind", jsonPath = ".spec.instance.kind")
@AdditionalPrinterColumn(name = "Instance", jsonPath = ".spec.instance.name")
@AdditionalPrinterColumn(name = "Plan", jsonPath = ".spec.plan")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = DATE)
public final class BlueprintRun extends RecordResource<BlueprintRun, BlueprintRunSpec, BlueprintRunStatus>
        implements Namespaced {}
