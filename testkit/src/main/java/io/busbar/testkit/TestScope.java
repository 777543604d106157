package io.busbar.testkit;

import io.busbar.sandbox.testkit.SandboxExtension;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What one test has for itself: a namespace, and a client that is at home there. Ends the faults that the test has
 * injected.
 *
 * <p>Any thread; {@link #begin}, {@link #report} and {@link #close} block.
 */
final class TestScope implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 30;

    private final OperatorBed bed;
    private final String namespace;
    private final NamespacedKubernetesClient client;

    private TestScope(OperatorBed bed, String namespace) {
        this.bed = bed;
        this.namespace = namespace;
        this.client = bed.client().adapt(NamespacedKubernetesClient.class).inNamespace(namespace);
    }

    /**
     * Makes the namespace, ready for Pods.
     *
     * @param test of whose name the namespace's begins
     */
    static TestScope begin(OperatorBed bed, Class<?> test) {
        String name = SandboxExtension.namespaceFor(test.getSimpleName());
        KubernetesClient admin = bed.client();
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        admin.serviceAccounts()
                .inNamespace(name)
                .withName("default")
                .waitUntilCondition(Objects::nonNull, PATIENCE_SECONDS, TimeUnit.SECONDS);
        return new TestScope(bed, name);
    }

    String namespace() {
        return namespace;
    }

    KubernetesClient client() {
        return client;
    }

    /** What happened in the namespace. */
    String report() {
        return bed.trail().report(namespace) + "\nEvents in " + namespace + ":" + events();
    }

    private String events() {
        try {
            String lines = client.v1().events().list().getItems().stream()
                    .map(TestScope::line)
                    .collect(Collectors.joining());
            return lines.isEmpty() ? " none" : lines;
        } catch (KubernetesClientException unknown) {
            return " not known: " + unknown.getMessage();
        }
    }

    private static String line(Event event) {
        return "\n  " + event.getType() + " " + event.getReason() + " "
                + event.getInvolvedObject().getKind() + " "
                + event.getInvolvedObject().getName() + ": "
                + event.getMessage();
    }

    @Override
    public void close() {
        bed.cluster()
                .sandbox()
                .map(sandbox -> sandbox.faults())
                .ifPresent(faults -> faults.clear().join());
        bed.operator().start();
        bed.leave(namespace);
    }
}
