package io.busbar.operator.demo;

import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.operator.podbugger.v1beta1.PodbuggertoolStatus;
import io.fabric8.kubernetes.client.utils.Serialization;

/** A container to debug with is put into Pods that run already: those of the SidecarSet's chapter. */
final class PodbuggertoolChapter implements Chapter {

    @Override
    public String title() {
        return "PodBuggerTool";
    }

    @Override
    public void tell(Stage stage) throws InterruptedException {
        Narrator narrator = stage.narrator();
        try (Followed<Podbuggertool> tools = stage.follow(Podbuggertool.class, tool -> describe(tool, narrator))) {
            narrator.step("kubectl apply a Podbuggertool for Pods labelled app=shop");
            stage.client()
                    .resource(Serialization.unmarshal(tool(), Podbuggertool.class))
                    .create();
            tools.await("in every Pod that matches", tool -> {
                PodbuggertoolStatus status = tool.getStatus();
                return status != null && status.matchedPods() > 0 && status.installed() == status.matchedPods();
            });
        }
    }

    private static void describe(Podbuggertool tool, Narrator narrator) {
        PodbuggertoolStatus status = tool.getStatus();
        if (status != null) {
            narrator.tell(
                    "Podbuggertool " + tool.getMetadata().getName(),
                    "matches " + status.matchedPods() + " Pods, installed in " + status.installed());
        }
    }

    private static String tool() {
        return """
                apiVersion: ualter.com/v1beta1
                kind: Podbuggertool
                metadata:
                  name: shell
                  namespace: %s
                spec:
                  label: app=shop
                  image: busybox:1.36
                """.formatted(Stage.NAMESPACE);
    }
}
