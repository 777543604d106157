package io.busbar.operator.bundled;

import io.busbar.manifests.OperatorPart;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.DeclaredBundle;

/** What a cluster needs for a bundle, as the manifests have it. */
public final class DeclaredParts {

    private DeclaredParts() {}

    public static OperatorPart of(Bundle bundle) {
        return DeclaredBundle.of(bundle, BundleContext.declaring("busbar-system"))
                .part();
    }
}
