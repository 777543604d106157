package io.busbar.blueprint.v1alpha1;

import static io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type.DATE;

import io.busbar.common.RecordResource;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * Declares a kind, and what each of its instances is made of. For the thread that holds it: mutable as all of the
 * client's models are.
 */
@Group("blueprints.busbar.io")
@Version("v1alpha1")
@Kind("Blueprint")
@Singular("blueprint")
@Plural("blueprints")
@AdditionalPrinterColumn(name = "Kind", jsonPath = ".spec.schema.kind")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type==\"Ready\")].status")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = DATE)
public final class StoredBlueprint extends RecordResource<StoredBlueprint, BlueprintSpec, BlueprintStatus> {}
