package io.busbar.blueprint.run;

import io.busbar.blueprint.schema.InstanceSchema;
import io.busbar.blueprint.v1alpha1.BlueprintRun;
import io.busbar.blueprint.v1alpha1.BlueprintRunSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * What runs and instances are matched by: of whatever version, as that may change with the Blueprint while a run is
 * under way.
 *
 * <p>Immutable.
 */
record InstanceKind(String group, String kind) {

    static InstanceKind of(InstanceSchema schema) {
        return new InstanceKind(schema.group(), schema.kind());
    }

    static InstanceKind of(HasMetadata instance) {
        return of(instance.getApiVersion(), instance.getKind());
    }

    static InstanceKind of(BlueprintRunSpec.Instance named) {
        return of(named.apiVersion(), named.kind());
    }

    private static InstanceKind of(String apiVersion, String kind) {
        return new InstanceKind(apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/'))), kind);
    }

    /** Whether a run is about an instance of this kind; not where it says nothing. */
    boolean isOf(BlueprintRun run) {
        return run.getSpec() != null && equals(of(run.getSpec().instance()));
    }
}
