package io.busbar.testkit.sample;

import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.Map;

/** A ConfigMap with the text, and as many Pods as are asked for. */
public final class PageReconciler implements Reconciler<Page> {

    public static Controller<Page> controller() {
        return Controller.of(Page.class, new PageReconciler())
                .owns(ConfigMap.class)
                .owns(Pod.class);
    }

    @Override
    public ReconcileResult reconcile(Page page, ReconcileContext<Page> context) {
        String name = page.getMetadata().getName();
        if (page.getSpec().text().equals("broken")) {
            throw new IllegalStateException("the text of " + name + " is broken");
        }
        context.apply(new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(page.getMetadata().getNamespace())
                .endMetadata()
                .withData(Map.of("text", page.getSpec().text()))
                .build());
        List<Pod> pods = context.owned(Pod.class).stream()
                .filter(pod -> !pod.isMarkedForDeletion())
                .toList();
        for (int i = pods.size(); i < page.getSpec().copies(); i++) {
            context.create(pod(page));
        }
        pods.stream().skip(page.getSpec().copies()).forEach(context::delete);
        context.status(page.with(
                new Page.Status(page.getSpec().copies(), page.getMetadata().getGeneration())));
        return ReconcileResult.awaitChange();
    }

    private static Pod pod(Page page) {
        return new PodBuilder()
                .withNewMetadata()
                .withGenerateName(page.getMetadata().getName() + "-")
                .withNamespace(page.getMetadata().getNamespace())
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("server")
                .withImage("nginx")
                .endContainer()
                .endSpec()
                .build();
    }
}
