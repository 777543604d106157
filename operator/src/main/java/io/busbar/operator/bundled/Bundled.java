package io.busbar.operator.bundled;

import io.busbar.manifests.About;
import io.busbar.operator.guestbook.GuestbookBundle;
import io.busbar.operator.memcached.MemcachedBundle;
import io.busbar.operator.mysqlcluster.MySQLClusterBundle;
import io.busbar.operator.podbugger.PodbuggertoolBundle;
import io.busbar.operator.podset.PodSetBundle;
import io.busbar.operator.sidecarset.SidecarSetBundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import java.util.List;
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
            Busbar runs **SidecarSet**, compatible with OpenKruise's `apps.kruise.io/v1alpha1`: containers that are injected into each
            new Pod that matches, and rolled out in place when their image changes. Beside it run **PodSet**, **Memcached**,
            **Guestbook** and **PodBuggerTool**.

            Its webhooks are asked about every Pod that is created outside kube-system, kube-public and its own namespace.
            """,
            "Busbar",
            Optional.empty(),
            List.of("sidecar", "injection", "openkruise", "vertx"));

    private Bundled() {}

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
