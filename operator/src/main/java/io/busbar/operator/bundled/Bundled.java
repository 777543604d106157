package io.busbar.operator.bundled;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.busbar.blueprint.operator.BlueprintsBundle;
import io.busbar.manifests.About;
import io.busbar.manifests.Catalog;
import io.busbar.manifests.Catalog.Maintainer;
import io.busbar.operator.guestbook.GuestbookBundle;
import io.busbar.operator.memcached.MemcachedBundle;
import io.busbar.operator.mysqlcluster.MySQLClusterBundle;
import io.busbar.operator.podbugger.PodbuggertoolBundle;
import io.busbar.operator.podset.PodSetBundle;
import io.busbar.operator.sidecarset.SidecarSetBundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Which operators are in the jar. Any thread. */
public final class Bundled {

    /** Of the operator: names of what it is installed with begin with it. */
    public static final String NAME = "busbar";

    private static final About ABOUT = new About(
            "0.1.0",
            "Busbar",
            "Sidecars that are injected into Pods and rolled out in place, and some operators more.",
            """
            Busbar runs **SidecarSet**, compatible with OpenKruise's `apps.kruise.io/v1beta1`: containers that are injected into each
            new Pod that matches, and rolled out in place when their image changes. Beside it run **PodSet**, **Memcached**,
            **Guestbook**, **PodBuggerTool**, and **MySQLCluster**: databases that survive the loss of their primary.

            Its webhooks are asked about every Pod that is created outside kube-system, kube-public and its own namespace.
            """,
            "Busbar",
            Optional.empty(),
            List.of("sidecar", "injection", "openkruise", "vertx"),
            Catalog.empty()
                    .withIcon(icon())
                    .withMaintainers(new Maintainer("Busbar's maintainers", Optional.empty()))
                    .withLinks(Map.of(
                            "SidecarSet, as OpenKruise documents it",
                            URI.create("https://openkruise.io/docs/user-manuals/sidecarset"),
                            "Vert.x",
                            URI.create("https://vertx.io"))));

    private static final String BLUEPRINTS = "blueprint-operator";

    private static final About ABOUT_BLUEPRINTS = new About(
            ABOUT.version(),
            "Blueprint operator",
            "Operators without code: kinds that are declared in YAML, with CEL.",
            """
            A **Blueprint** declares a kind, and templates of the objects that each instance of it is made of, with
            expressions in `${…}`: the fields are those of kro's ResourceGraphDefinition. Its instances are reconciled with
            the rights of the ServiceAccount that it names.
            """,
            ABOUT.provider(),
            Optional.empty(),
            List.of("kro", "cel", "vertx"),
            Catalog.empty().withIcon(icon()).withMaintainers(new Maintainer("Busbar's maintainers", Optional.empty())));

    private Bundled() {}

    private static String icon() {
        try (InputStream icon = Bundled.class.getResourceAsStream("icon.svg")) {
            return new String(
                    Objects.requireNonNull(icon, "the jar lacks icon.svg").readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The one that runs Blueprints: it is deployed by itself, as it may do what the others need not. */
    public static OperatorDefinition blueprints() {
        return new OperatorDefinition(
                BLUEPRINTS, NAME + ":latest", BLUEPRINTS, ABOUT_BLUEPRINTS, List.of(new BlueprintsBundle()));
    }

    /** All of them, with flags that nobody has set yet. */
    public static OperatorDefinition operator() {
        return new OperatorDefinition(
                NAME,
                NAME + ":latest",
                ABOUT,
                List.of(
                        new SidecarSetBundle(),
                        new PodSetBundle(),
                        new MemcachedBundle(System.getenv()),
                        new GuestbookBundle(),
                        new PodbuggertoolBundle(),
                        new MySQLClusterBundle()));
    }
}
