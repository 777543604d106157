package io.busbar.manifests.readme;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A kind of the README's example. */
@Group("shop.example.com")
@Version("v1")
final class Crate extends CustomResource<Crate.Spec, Void> implements Namespaced {

    private static final long serialVersionUID = 1L;

    record Spec(int bottles) {}
}
