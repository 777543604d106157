package io.busbar.testkit.builds;

import io.busbar.common.ObjectKey;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.TerminalException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Duration;
import java.util.Optional;

/** Has a Job build each commit that has been at the head. Any thread. */
final class BuildReconciler implements Reconciler<Build> {

    @Override
    public ReconcileResult reconcile(Build build, ReconcileContext<Build> context) throws Exception {
        String namespace = context.key().namespace();
        if (context.live(ConfigMap.class, ObjectKey.of(namespace, "freeze")).isPresent()) {
            context.status(build.with(new Build.Status("", "builds are frozen")));
            return ReconcileResult.requeueAfter(Duration.ofMinutes(5));
        }
        Optional<String> head = context.polled(BuildBundle.HEAD);
        if (head.isEmpty()) {
            throw new TerminalException("no repository at " + build.getSpec().url());
        }
        String secret = build.getSpec().secret();
        String token = context.fetched(Secret.class, ObjectKey.of(namespace, secret))
                .map(stored -> stored.getData().get("token"))
                .orElseThrow(() -> new IllegalStateException("no token in Secret " + secret));
        context.apply(job(build, head.get(), token));
        context.status(build.with(new Build.Status(head.get(), "")));
        return ReconcileResult.awaitChange();
    }

    @Override
    public Optional<Build> failed(Build build, Throwable failure, ReconcileContext<Build> context) {
        String commit = build.getStatus() == null ? "" : build.getStatus().commit();
        return Optional.of(build.with(new Build.Status(commit, failure.getMessage())));
    }

    private static Job job(Build build, String commit, String token) {
        return new JobBuilder()
                .withNewMetadata()
                .withName(build.getMetadata().getName() + "-" + commit)
                .withNamespace(build.getMetadata().getNamespace())
                // A build is made once for a token: its digest is what is told of it.
                .addToAnnotations("sample.example.com/token", Integer.toHexString(token.hashCode()))
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("build")
                .withImage("example/build:1")
                .withArgs(build.getSpec().url(), commit)
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
