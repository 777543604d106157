package io.busbar.operator.demo;

import io.busbar.operator.podset.v1alpha1.PodSet;
import io.busbar.operator.podset.v1alpha1.PodSetStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;

/** A PodSet is made, loses a Pod and gets another one, and is scaled. */
final class PodSetChapter implements Chapter {

    private static final String SET = "sleepers";

    @Override
    public String title() {
        return "PodSet";
    }

    @Override
    @SuppressWarnings("try") // the watches tell for as long as they are open
    public void tell(Stage stage) throws InterruptedException {
        Narrator narrator = stage.narrator();
        KubernetesClient client = stage.client();
        try (Followed<PodSet> sets = stage.follow(PodSet.class, set -> describe(set, narrator));
                Followed<Pod> pods = stage.follow(Pod.class, narrator::pod)) {
            narrator.step("kubectl apply a PodSet of size 3");
            client.resource(Serialization.unmarshal(set(), PodSet.class)).create();
            List<String> first = awaitReady(sets, 3, List.of());
            narrator.step("kubectl delete pod " + first.get(0));
            client.pods().inNamespace(Stage.NAMESPACE).withName(first.get(0)).delete();
            awaitReady(sets, 3, first.subList(0, 1));
            narrator.step("kubectl scale podset/" + SET + " --replicas=1");
            client.resources(PodSet.class)
                    .inNamespace(Stage.NAMESPACE)
                    .withName(SET)
                    .scale(1);
            awaitReady(sets, 1, List.of());
        }
    }

    /** Returns the names of the Pods once there are so many, all ready, and none of some others. */
    private static List<String> awaitReady(Followed<PodSet> sets, int size, List<String> gone)
            throws InterruptedException {
        return sets.await("of " + size + " ready Pods", set -> {
                    PodSetStatus status = set.getStatus();
                    return status != null
                            && status.nodes().size() == size
                            && status.readyReplicas() == size
                            && status.nodes().stream().noneMatch(gone::contains);
                })
                .getStatus()
                .nodes();
    }

    private static void describe(PodSet set, Narrator narrator) {
        PodSetStatus status = set.getStatus();
        if (status != null) {
            narrator.tell(
                    "PodSet " + set.getMetadata().getName(),
                    "size " + set.getSpec().size() + ", Pods " + status.replicas() + ", ready "
                            + status.readyReplicas());
        }
    }

    private static String set() {
        return """
                apiVersion: apps.jicki.cn/v1alpha1
                kind: PodSet
                metadata:
                  name: %s
                  namespace: %s
                spec:
                  size: 3
                """.formatted(SET, Stage.NAMESPACE);
    }
}
