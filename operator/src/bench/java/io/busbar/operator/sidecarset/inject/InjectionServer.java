package io.busbar.operator.sidecarset.inject;

import io.busbar.admission.bench.PodWebhookServer;
import io.busbar.admission.bench.WebhookComparison;
import io.busbar.operator.sidecarset.StoredObjects;
import io.busbar.operator.sidecarset.Yaml;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;

/**
 * The admission server with the real rule for Pods: fifty sets, one of which selects the Pod of the review.
 * {@link Comparison} holds it against a bare HTTPS server.
 */
public final class InjectionServer {

    private static final int SETS = 50;

    private InjectionServer() {}

    public static void main(String[] arguments) {
        StoredObjects<SidecarSet> sets = new StoredObjects<>();
        for (int i = 1; i < SETS; i++) {
            sets.put(set("team-" + i));
        }
        sets.put(set("payments"));
        StoredObjects<Namespace> namespaces = new StoredObjects<>();
        namespaces.put(new NamespaceBuilder()
                .withNewMetadata()
                .withName("default")
                .endMetadata()
                .build());
        SidecarSetFeed feed = new SidecarSetFeed(sets, (set, wanted) -> Optional.empty());
        feed.rebuild();
        PodWebhookServer.serve(new PodInjection(feed, namespaces, Set.of("kube-system"), Clock.systemUTC()));
    }

    private static SidecarSet set(String team) {
        return Yaml.set(team, """
                selector: {matchLabels: {team: %s}}
                containers:
                - name: log-agent
                  image: registry.example.com/platform/log-agent:2.4.1
                  args: [--config=/etc/agent/agent.yaml, --follow]
                  resources: {limits: {cpu: 100m, memory: 64Mi}}
                  volumeMounts: [{name: logs, mountPath: /var/log/app}]
                volumes: [{name: logs, emptyDir: {}}]
                """.formatted(team));
    }

    /**
     * Prints throughput, latency and CPU of both, and their ratios. Usage, after a build with {@code -Pbench}:
     * {@code java -cp operator/target/test-classes:operator/target/busbar.jar
     * 'io.busbar.operator.sidecarset.inject.InjectionServer$Comparison'}.
     */
    public static final class Comparison {

        private Comparison() {}

        public static void main(String[] arguments) throws Exception {
            WebhookComparison.compare(InjectionServer.class, "/mutate-pod", WebhookComparison.podReview());
            System.exit(0);
        }
    }
}
