package io.busbar.operator.bundled;

import io.busbar.manifests.About;
import io.busbar.manifests.ManifestTree;
import io.busbar.manifests.OperatorDeclaration;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.crd.CrdGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What installs the operator with all that is bundled in it.
 *
 * <p>Any thread; takes a second the first time, so not for an event loop.
 */
public final class BundledManifests {

    /** Of the operator: names of what it is installed with begin with it. */
    public static final String NAME = "busbar";

    private static final About ABOUT = new About(
            "0.1.0",
            "Busbar",
            "Sidecars that are injected into Pods and rolled out in place, and some operators more.",
            """
            Busbar runs **SidecarSet**, compatible with OpenKruise's `apps.kruise.io/v1alpha1`: containers that are injected into each
            new Pod that matches, and rolled out in place when their image changes. Beside it run **PodSet**, **Memcached**,
            **Guestbook** and **PodBuggerTool**.

            Its webhooks are asked about every Pod that is created outside kube-system, kube-public and its own namespace.
            """,
            "Busbar",
            Optional.empty(),
            List.of("sidecar", "injection", "openkruise", "vertx"));

    private BundledManifests() {}

    /** What is generated in the folder {@code manifests}. */
    public static ManifestTree tree() {
        return ManifestTree.of(operator());
    }

    /** The definitions of all bundled kinds. */
    public static List<CustomResourceDefinition> crds() {
        return CrdGenerator.generate(operator().parts().stream()
                .flatMap(part -> part.types().stream())
                .toList());
    }

    private static OperatorDeclaration operator() {
        List<OperatorPart> parts = Arrays.stream(Bundled.values())
                .map(one -> one.part(NAME + "-system"))
                .toList();
        return new OperatorDeclaration(NAME, NAME + ":latest", ABOUT, parts);
    }
}
