package io.busbar.operator.demo;

import io.busbar.common.condition.Conditions;
import io.busbar.operator.memcached.v1alpha1.Memcached;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A Memcached is made, its Deployment is scaled by hand and changed back, deleted and made anew; and the Memcached goes
 * in order.
 */
final class MemcachedChapter implements Chapter {

    private static final String NAME = "cache";
    private static final int SIZE = 2;
    private static final String MEMCACHED = """
            apiVersion: cache.example.com/v1alpha1
            kind: Memcached
            metadata:
              name: %s
              namespace: %s
            spec:
              size: %d
            """.formatted(NAME, Stage.NAMESPACE, SIZE);

    @Override
    public String title() {
        return "Memcached";
    }

    @Override
    @SuppressWarnings("try") // the watches tell for as long as they are open
    public void tell(Stage stage) throws InterruptedException {
        Narrator narrator = stage.narrator();
        KubernetesClient client = stage.client();
        try (Followed<Memcached> memcacheds = stage.follow(Memcached.class, one -> describe(one, narrator));
                Followed<Deployment> deployments = stage.follow(Deployment.class, narrator::deployment)) {
            narrator.step("kubectl apply a Memcached of size " + SIZE);
            client.resource(Serialization.unmarshal(MEMCACHED, Memcached.class)).create();
            memcacheds.await("available", has("Available", "True"));
            narrator.step("kubectl scale deployment " + NAME + " --replicas=5");
            client.apps()
                    .deployments()
                    .inNamespace(Stage.NAMESPACE)
                    .withName(NAME)
                    .scale(5);
            deployments.await("scaled by hand", replicas(5));
            deployments.await("scaled back", replicas(SIZE));
            narrator.step("kubectl delete deployment " + NAME);
            client.apps()
                    .deployments()
                    .inNamespace(Stage.NAMESPACE)
                    .withName(NAME)
                    .delete();
            memcacheds.await("unavailable", has("Available", "False"));
            memcacheds.await("available again", has("Available", "True"));
            narrator.step("kubectl delete memcached " + NAME);
            client.resources(Memcached.class)
                    .inNamespace(Stage.NAMESPACE)
                    .withName(NAME)
                    .delete();
            memcacheds.await("finalized", has("Degraded", "True"));
        }
    }

    private static Predicate<Memcached> has(String type, String status) {
        return memcached -> Conditions.find(conditions(memcached), type)
                .filter(condition -> condition.getStatus().equals(status))
                .isPresent();
    }

    private static Predicate<Deployment> replicas(int count) {
        return deployment -> deployment.getMetadata().getName().equals(NAME)
                && deployment.getSpec().getReplicas() == count;
    }

    private static void describe(Memcached memcached, Narrator narrator) {
        String text = conditions(memcached).stream()
                .filter(condition -> !condition.getType().equals("Progressing"))
                .map(condition ->
                        condition.getType() + "=" + condition.getStatus() + " (" + condition.getReason() + ")")
                .collect(Collectors.joining(", "));
        if (!text.isEmpty()) {
            narrator.tell("Memcached " + memcached.getMetadata().getName(), text);
        }
    }

    private static List<Condition> conditions(Memcached memcached) {
        return memcached.getStatus() == null ? List.of() : memcached.getStatus().conditions();
    }
}
