package io.busbar.operator.manifests;

import io.busbar.manifests.ManifestTree;
import io.busbar.manifests.OperatorDeclaration;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.manifests.webhook.WebhookConfigurations;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.List;

/**
 * What installs the operator with all that is bundled in it.
 *
 * <p>Any thread; takes a second the first time, so not for an event loop.
 */
public final class BundledManifests {

    private static final String NAME = "busbar";

    private BundledManifests() {}

    /** The files of {@code manifests/config}. */
    public static ManifestTree tree() {
        return ManifestTree.of(operator());
    }

    /** The definitions of all bundled kinds. */
    public static List<CustomResourceDefinition> crds() {
        return CrdGenerator.generate(operator().parts().stream()
                .flatMap(part -> part.types().stream())
                .toList());
    }

    /** All webhooks, to be registered under the names that the tree gives the configurations. */
    public static WebhookConfigurations webhooks() {
        return new WebhookConfigurations(
                NAME + "-",
                operator().parts().stream()
                        .flatMap(part -> part.webhooks().stream())
                        .toList());
    }

    private static OperatorDeclaration operator() {
        List<OperatorPart> parts = List.of(SidecarSetPart.in(NAME + "-system"));
        return new OperatorDeclaration(NAME, NAME + ":latest", parts);
    }
}
