package io.busbar.runtime.bundle;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A kind for tests. */
@Group("example.com")
@Version("v1")
public final class Widget extends CustomResource<Widget.Spec, Void> implements Namespaced {

    private static final long serialVersionUID = 1L;

    public record Spec(int size) {}
}
