package io.busbar.manifests.readme;

import io.busbar.common.ResourceType;
import io.busbar.manifests.About;
import io.busbar.manifests.ManifestTree;
import io.busbar.manifests.OperatorDeclaration;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.Sample;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Permission.Subresource;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The example of the README. */
final class ShopManifests {

    private ShopManifests() {}

    public static void main(String... args) throws IOException {
        OperatorPart crates = new OperatorPart(
                "crates",
                List.of(Crate.class),
                List.of(
                        Permission.toWatch(Crate.class),
                        Permission.on(Crate.class, Subresource.STATUS, "patch"),
                        Permission.on(Deployment.class, "create", "patch")),
                List.of(),
                List.of(WebhookManifest.validating(
                        "vcrate.example.com", ResourceType.of(Crate.class), Operation.CREATE, Operation.UPDATE)),
                List.of(Sample.beside(Crate.class, "shop_v1_crate.yaml")));
        About about = new About(
                "1.0.0", "Shop", "Sells crates.", "Sells *crates*.", "Acme", Optional.empty(), List.of("shop"));
        ManifestTree.of(new OperatorDeclaration("shop", "registry.example.com/shop:1.0.0", about, List.of(crates)))
                .writeTo(Path.of(args[0]));
    }
}
