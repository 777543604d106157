package io.busbar.operator.podbugger;

import io.busbar.common.api.ApiFailure;
import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.TerminalException;
import io.busbar.reconciler.dependent.SlowStart;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Puts a tool's container into the Pods that it is for, once they are ready.
 *
 * <p>Guarantees: one container for each tool and image, whatever was crashed or retried in between; nothing that is in
 * a Pod is changed or removed, since Kubernetes allows neither; a Pod that refuses it does not hold up the others; no
 * request when nothing has changed.
 */
final class PodbuggertoolReconciler implements Reconciler<Podbuggertool> {

    private final EphemeralContainers subresource;
    private final Clock clock;

    PodbuggertoolReconciler(EphemeralContainers subresource, Clock clock) {
        this.subresource = subresource;
        this.clock = clock;
    }

    @Override
    public ReconcileResult reconcile(Podbuggertool tool, ReconcileContext<Podbuggertool> context)
            throws TerminalException, InterruptedException {
        MatchingPods pods = matching(tool, context);
        if (!pods.due().isEmpty() && !subresource.served(context.client())) {
            Progress progress = Progress.notServed(pods);
            context.status(progress.in(tool, clock.instant()));
            throw new TerminalException(progress.message());
        }
        List<String> refusals = install(tool, pods.due(), context);
        context.status(Progress.of(pods, refusals).in(tool, clock.instant()));
        return ReconcileResult.awaitChange();
    }

    /** A tool that slipped past validation is its author's to mend. */
    private MatchingPods matching(Podbuggertool tool, ReconcileContext<Podbuggertool> context)
            throws TerminalException {
        try {
            PodLabel label = PodLabel.parse(tool.getSpec().label());
            List<Pod> labelled = context.lister(Pod.class)
                    .by(PodbuggertoolController.podsByLabel(), PodbuggertoolController.lookup(tool, label));
            return MatchingPods.of(labelled, DebugContainer.name(tool));
        } catch (IllegalArgumentException invalid) {
            String message = "spec.label: '" + tool.getSpec().label() + "': " + invalid.getMessage();
            context.events().warning(tool, "InvalidLabel", "Reconcile", message);
            context.status(Progress.invalid(message).in(tool, clock.instant()));
            throw new TerminalException(message, invalid);
        }
    }

    /** Returns what Pods it was refused for, and why. */
    private List<String> install(Podbuggertool tool, List<Pod> due, ReconcileContext<Podbuggertool> context)
            throws InterruptedException {
        EphemeralContainer container = DebugContainer.of(tool);
        Queue<Pod> installed = new ConcurrentLinkedQueue<>();
        Queue<String> refusals = new ConcurrentLinkedQueue<>();
        SlowStart.each(due, pod -> {
            try {
                subresource.add(context.client(), pod, container);
                installed.add(pod);
            } catch (KubernetesClientException failure) {
                refused(pod, failure, refusals);
            }
        });
        if (!installed.isEmpty()) {
            String where = name(installed.element())
                    + (installed.size() == 1 ? "" : " and " + (installed.size() - 1) + " more");
            context.events().normal(tool, "Installed", "Install", container.getName() + " was put into " + where);
        }
        refusals.forEach(refusal -> context.events().warning(tool, "Refused", "Install", refusal));
        return List.copyOf(refusals);
    }

    /** A Pod that is gone by now is not missed; what may pass by itself is tried again. */
    private void refused(Pod pod, KubernetesClientException failure, Queue<String> refusals) {
        ApiFailure kind = ApiFailure.of(failure);
        if (kind instanceof ApiFailure.Rejected) {
            subresource.forget();
            refusals.add(name(pod) + ": " + kind.message());
        } else if (!(kind instanceof ApiFailure.NotFound)) {
            throw failure;
        }
    }

    private static String name(Pod pod) {
        return "Pod " + pod.getMetadata().getNamespace() + "/"
                + pod.getMetadata().getName();
    }
}
