package io.busbar.testkit.builds;

import io.busbar.common.watch.ChangePredicate;
import io.busbar.common.watch.KeyMapping;
import io.busbar.common.watch.WatchSpec;
import io.busbar.manifests.rbac.Permission;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.source.CallSource;
import io.busbar.reconciler.source.MessageSource;
import io.busbar.reconciler.source.PollingSource;
import io.busbar.reconciler.source.TimerSource;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;

/** Builds, and all that has them looked at. */
public final class BuildBundle implements Bundle {

    static final CallSource THAWS = new CallSource("thaws");

    static final PollingSource<Build, String, String> HEAD = PollingSource.every(
            "git-head", Duration.ofSeconds(30), build -> build.getSpec().url(), Git::head);

    static Controller<Build> controller() {
        return Controller.of(Build.class, new BuildReconciler())
                .owns(Job.class)
                .watches(
                        WatchSpec.of(Secret.class).metadataOnlyWatch(),
                        List.of(),
                        ChangePredicate.always(),
                        KeyMapping.byLabel("sample.example.com/build"))
                .source(THAWS)
                .source(new MessageSource("builds.thawed").overHttp())
                .source(HEAD)
                .source(TimerSource.cron("nightly", "0 3 * * *", ZoneOffset.UTC));
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(controller());
    }

    /** What {@code fetched} and {@code live} ask for. */
    @Override
    public Extras extras(BundleContext context) {
        return Extras.none().allowing(Permission.on(Secret.class, "get"), Permission.on(ConfigMap.class, "get"));
    }
}
