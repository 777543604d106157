package io.busbar.runtime.bundle;

import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileResult;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;

/** Watches one kind, and does nothing. */
public record KindBundle(Class<? extends CustomResource<?, ?>> kind) implements Bundle {

    @Override
    public String name() {
        return HasMetadata.getSingular(kind);
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(Controller.of(kind, (object, its) -> ReconcileResult.awaitChange()));
    }
}
