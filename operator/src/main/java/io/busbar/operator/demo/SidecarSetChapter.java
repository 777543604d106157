package io.busbar.operator.demo;

import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;

/** A SidecarSet is made, Pods come and are injected, and an image is rolled through them, one Pod at a time. */
final class SidecarSetChapter implements Chapter {

    private static final int PODS = 3;
    private static final String SET = "log-agent";
    private static final String OLD_IMAGE = "example/log-agent:1";
    private static final String NEW_IMAGE = "example/log-agent:2";

    @Override
    public String title() {
        return "SidecarSet";
    }

    @Override
    @SuppressWarnings("try") // the watches tell for as long as they are open
    public void tell(Stage stage) throws InterruptedException {
        Narrator narrator = stage.narrator();
        KubernetesClient client = stage.client();
        try (Followed<SidecarSet> sets = stage.follow(SidecarSet.class, set -> describe(set, narrator));
                Followed<Pod> pods = stage.follow(Pod.class, narrator::pod)) {
            narrator.step("kubectl apply a SidecarSet for Pods labelled app=shop");
            SidecarSet created = client.resource(Serialization.unmarshal(set(), SidecarSet.class))
                    .create();
            awaitCounts(sets, created, 0);
            narrator.step("kubectl apply " + PODS + " Pods of one container");
            for (int i = 0; i < PODS; i++) {
                client.resource(pod("shop-" + i)).create();
            }
            awaitCounts(sets, created, PODS);
            narrator.step("kubectl edit sidecarset " + SET + ": the image becomes " + NEW_IMAGE);
            // As kubectl sends it: the client's own edit fails when the status was written meanwhile.
            SidecarSet edited = client.resources(SidecarSet.class)
                    .withName(SET)
                    .patch(PatchContext.of(PatchType.JSON), """
                            [{"op": "replace", "path": "/spec/containers/0/image", "value": "%s"}]""".formatted(NEW_IMAGE));
            awaitCounts(sets, edited, PODS);
            narrator.step("all Pods run the new image, and none was made anew");
        }
    }

    /** The set's controller has seen this spec, and counts so many Pods, all updated and ready. */
    private static void awaitCounts(Followed<SidecarSet> sets, SidecarSet seen, int count) throws InterruptedException {
        sets.await("matched by " + count + " Pods, all updated and ready", set -> {
            SidecarSetStatus status = set.getStatus();
            return status != null
                    && status.observedGeneration() == seen.getMetadata().getGeneration()
                    && status.matchedPods() == count
                    && status.updatedReadyPods() == count;
        });
    }

    private static void describe(SidecarSet set, Narrator narrator) {
        String subject = "SidecarSet " + set.getMetadata().getName();
        String hash = set.getMetadata().getAnnotations().getOrDefault(SidecarSet.HASH, "");
        narrator.tell(
                subject + " hash",
                subject,
                "defaulted and hashed: " + hash.substring(0, Math.min(8, hash.length())) + "…");
        SidecarSetStatus status = set.getStatus();
        if (status != null) {
            narrator.tell(
                    subject,
                    "matched " + status.matchedPods() + ", updated " + status.updatedPods() + ", ready "
                            + status.readyPods());
        }
    }

    private static String set() {
        return """
                apiVersion: apps.kruise.io/v1beta1
                kind: SidecarSet
                metadata:
                  name: %s
                spec:
                  selector:
                    matchLabels:
                      app: shop
                  containers:
                  - name: log-agent
                    image: %s
                """.formatted(SET, OLD_IMAGE);
    }

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(Stage.NAMESPACE)
                .withName(name)
                .withLabels(Map.of("app", "shop"))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("shop")
                .withImage("example/shop:7")
                .endContainer()
                .endSpec()
                .build();
    }
}
