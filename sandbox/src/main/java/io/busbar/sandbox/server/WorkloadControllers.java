package io.busbar.sandbox.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.OwnedIndexes;
import io.busbar.sandbox.controller.SelectorIndex;
import io.busbar.sandbox.kinds.cronjob.CronJobs;
import io.busbar.sandbox.kinds.daemonset.DaemonSets;
import io.busbar.sandbox.kinds.deployment.Deployments;
import io.busbar.sandbox.kinds.disruption.Budgets;
import io.busbar.sandbox.kinds.event.EventExpiry;
import io.busbar.sandbox.kinds.job.Jobs;
import io.busbar.sandbox.kinds.replicaset.ReplicaSets;
import io.busbar.sandbox.kinds.service.EndpointSlices;
import io.busbar.sandbox.kinds.service.ServiceEndpoints;
import io.busbar.sandbox.kinds.statefulset.StatefulSets;
import io.busbar.sandbox.kinds.volume.ClaimProtection;
import io.busbar.sandbox.kinds.volume.FakeClass;
import io.busbar.sandbox.kinds.volume.VolumeClaims;
import io.busbar.sandbox.kinds.volume.Volumes;
import io.busbar.sandbox.policy.TypeChecking;
import io.busbar.sandbox.quota.QuotaController;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.verbs.Cluster;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The controllers of what makes Pods, and of what serves them, each under the name that it has in a real cluster.
 *
 * <p>One context.
 */
final class WorkloadControllers {

    private final Vertx vertx;
    private final Cluster cluster;
    private final Function<String, InProcessStore> doors;
    private final OwnedIndexes owned;
    private final List<Runnable> stops = new ArrayList<>();

    /** @param doors by the name of a controller */
    WorkloadControllers(Vertx vertx, Cluster cluster, Function<String, InProcessStore> doors) {
        this.vertx = vertx;
        this.cluster = cluster;
        this.doors = doors;
        this.owned = OwnedIndexes.of(doors.apply("controllers"));
    }

    /** The indexes come first: they take each change within its write. */
    void start() {
        cluster.store().onChange(owned::changed);
        run(ReplicaSets.start(context("replicaset-controller"), Kind.REPLICA_SET));
        run(ReplicaSets.start(context("replication-controller"), Kind.REPLICATION_CONTROLLER));
        run(Deployments.start(context("deployment-controller")));
        run(StatefulSets.start(context("statefulset-controller")));
        run(DaemonSets.start(context("daemon-set-controller")));
        run(Jobs.start(context("job-controller")));
        run(CronJobs.start(context("cronjob-controller")));
        services();
        SelectorIndex budgets = index(Kind.DISRUPTION_BUDGET, Budgets::selector);
        run(Budgets.start(context("disruption-controller"), budgets));
        stops.add(QuotaController.start(context("resourcequota-controller")));
        run(TypeChecking.start(context("validatingadmissionpolicy-status-controller"), cluster.catalog()));
        stops.add(EventExpiry.start(vertx, cluster.store(), cluster.clock())::stop);
        run(VolumeClaims.start(context("persistent-volume-binder")));
        run(Volumes.start(context("persistent-volume-binder")));
        run(ClaimProtection.start(context("pvc-protection-controller")));
        doors.apply("persistent-volume-binder").create(Kind.STORAGE_CLASS.resource(), FakeClass.object());
    }

    private void services() {
        SelectorIndex services = index(Kind.SERVICE, ServiceEndpoints::selector);
        stops.add(ServiceEndpoints.start(context("endpoint-controller"), services)::stop);
        run(EndpointSlices.start(context("endpointslice-controller"), services));
    }

    private SelectorIndex index(Kind kind, Function<ObjectNode, LabelSelector> selector) {
        SelectorIndex index = new SelectorIndex(kind, doors.apply("controllers"), selector);
        cluster.store().onChange(index::changed);
        return index;
    }

    /** Nothing is begun any more; what is under way ends. */
    void stop() {
        stops.forEach(Runnable::run);
        stops.clear();
    }

    private void run(ControllerLoop loop) {
        stops.add(loop::stop);
    }

    private ControllerContext context(String name) {
        return new ControllerContext(name, vertx, doors.apply(name), cluster.clock(), owned);
    }
}
