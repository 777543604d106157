package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives each class a cluster that no other one has meanwhile, a namespace of its own on it, and a Node of databases
 * where it asks for one.
 */
final class ClusterExtension implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private static final Namespace STORE = Namespace.create(ClusterExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        eventLoops(context);
        RunningCluster running = clusters(context)
                .take(AnnotationSupport.findAnnotation(context.getRequiredTestClass(), EndToEnd.class)
                        .map(EndToEnd::value)
                        .orElse(""));
        String name = "e2e-" + context.getRequiredTestClass().getSimpleName().toLowerCase(Locale.ROOT) + "-"
                + UUID.randomUUID().toString().substring(0, 6);
        Namespaces.ensure(running.client(), name, Map.of());
        Cluster cluster = new Cluster(running, name);
        context.getStore(STORE).put(Cluster.class, cluster);
        WithDatabases wanted = context.getRequiredTestClass().getAnnotation(WithDatabases.class);
        if (wanted != null) {
            context.getStore(STORE).put(Databases.class, new Databases(cluster, wanted.value()));
        }
    }

    private static Clusters clusters(ExtensionContext context) {
        return context.getRoot().getStore(STORE).computeIfAbsent(Clusters.class, key -> new Clusters(), Clusters.class);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        cluster(context).removeAll();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Databases databases = context.getStore(STORE).remove(Databases.class, Databases.class);
        if (databases != null) {
            databases.close();
        }
        Cluster cluster = cluster(context);
        cluster.client().namespaces().withName(cluster.namespace()).delete();
        clusters(context).giveBack(cluster.running());
        List<String> blocked = eventLoops(context).found();
        assertThat(blocked)
                .withFailMessage(() -> "event loops were held up:\n\n" + String.join("\n\n", blocked))
                .isEmpty();
    }

    /** One for all classes: what it finds may be of another one that runs at the same time. */
    private static EventLoopWatch eventLoops(ExtensionContext context) {
        return context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(EventLoopWatch.class, key -> new EventLoopWatch(), EventLoopWatch.class);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Cluster.class || type == Databases.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Databases.class ? context.getStore(STORE).get(type) : cluster(context);
    }

    private static Cluster cluster(ExtensionContext context) {
        return context.getStore(STORE).get(Cluster.class, Cluster.class);
    }
}
