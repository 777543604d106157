package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each class a namespace of its own on the run's one cluster. */
final class ClusterExtension implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private static final Namespace STORE = Namespace.create(ClusterExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        RunningCluster running = context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(RunningCluster.class, key -> new RunningCluster(), RunningCluster.class);
        running.startOperator();
        String name = "e2e-" + context.getRequiredTestClass().getSimpleName().toLowerCase(Locale.ROOT) + "-"
                + UUID.randomUUID().toString().substring(0, 6);
        KubernetesClient client = running.client();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        Awaitility.await("default service account of " + name)
                .atMost(Duration.ofSeconds(30))
                .until(() -> client.serviceAccounts()
                                .inNamespace(name)
                                .withName("default")
                                .get()
                        != null);
        context.getStore(STORE).put(Cluster.class, new Cluster(running, name));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        cluster(context).removeAll();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Cluster cluster = cluster(context);
        cluster.client().namespaces().withName(cluster.namespace()).delete();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Cluster.class;
    }

    @Override
    public Cluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return cluster(context);
    }

    private static Cluster cluster(ExtensionContext context) {
        return context.getStore(STORE).get(Cluster.class, Cluster.class);
    }
}
