package io.busbar.sandbox.server;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.auth.ServiceAccountTokens;
import io.busbar.sandbox.auth.TokenSecrets;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.crd.Establisher;
import io.busbar.sandbox.garbage.GarbageCollector;
import io.busbar.sandbox.kubelet.SimulatedKubelet;
import io.busbar.sandbox.kubelet.SimulatedScheduler;
import io.busbar.sandbox.priority.SystemClasses;
import io.busbar.sandbox.rbac.Aggregation;
import io.busbar.sandbox.rbac.Bootstrap;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.Verbs;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of the cluster that work on objects by themselves, each under the name that it has in a real one.
 *
 * <p>One context.
 */
public final class ControlPlane {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource COMPONENTS = GroupResource.core("componentstatuses");

    private final Vertx vertx;
    private final Cluster cluster;
    private final Verbs verbs;
    private final ChangeFeed feed;
    private final ClusterClock clock;
    private final List<Runnable> stops = new ArrayList<>();

    public ControlPlane(Vertx vertx, Cluster cluster, Verbs verbs, ChangeFeed feed) {
        this.vertx = vertx;
        this.cluster = cluster;
        this.verbs = verbs;
        this.feed = feed;
        this.clock = cluster.clock();
    }

    /**
     * Starts what every cluster has: definitions are established, namespaces furnished and cleared, orphans collected.
     *
     * @param certificate of the server's CA, in PEM; empty without TLS
     */
    public Future<Void> startControllers(String certificate, ServiceAccountTokens tokens) {
        new Aggregation(as(
                        Caller.controller("clusterrole-aggregation-controller"), "clusterrole-aggregation-controller"))
                .start();
        new TokenSecrets(as(Caller.controller("tokens-controller"), "kube-controller-manager"), tokens, certificate)
                .start();
        new Establisher(vertx, as(Caller.system("apiserver"), "kube-apiserver"), clock).start();
        InProcessStore own = as(Caller.controller("namespace-controller"), "kube-controller-manager");
        GarbageCollector collector = new GarbageCollector(
                vertx,
                as(Caller.controller("generic-garbage-collector"), "kube-controller-manager"),
                cluster.catalog(),
                clock);
        Namespaces namespaces =
                new Namespaces(vertx, own, cluster.catalog(), own::finalizeNamespace, certificate, clock);
        stops.add(namespaces::stop);
        InProcessStore server = as(Caller.master("system:apiserver"), "kube-apiserver");
        return namespaces
                .start()
                .compose(ready -> SystemClasses.create(server))
                .compose(ready -> tellComponents(server))
                .onSuccess(ready -> {
                    collector.start();
                    stops.add(collector::stop);
                });
    }

    /** That all is well with the parts of the cluster, in the old way of telling it. */
    private static Future<Void> tellComponents(InProcessStore store) {
        List<Future<?>> made = new ArrayList<>();
        for (String name : List.of("controller-manager", "etcd-0", "scheduler")) {
            ObjectNode component = JsonNodeFactory.instance.objectNode();
            component.put("kind", "ComponentStatus").put("apiVersion", "v1");
            component.putObject("metadata").put("name", name);
            component
                    .putArray("conditions")
                    .addObject()
                    .put("type", "Healthy")
                    .put("status", "True")
                    .put("message", "ok");
            if (store.get(COMPONENTS, ObjectKey.of(name)) == null) {
                made.add(store.create(COMPONENTS, component));
            }
        }
        return Future.all(made).mapEmpty();
    }

    /** Starts what brings workloads to their state. */
    public Future<Void> startWorkloads() {
        WorkloadControllers workloads =
                new WorkloadControllers(vertx, cluster, name -> as(Caller.controller(name), "kube-controller-manager"));
        workloads.start();
        stops.add(workloads::stop);
        return Future.succeededFuture();
    }

    /** Makes the roles that a cluster begins with. */
    public Future<Void> createRoles() {
        return new Bootstrap(as(Caller.master("system:apiserver"), "kube-apiserver")).create();
    }

    /** Makes the nodes. */
    public Future<Void> createNodes(int count, String version) {
        return new Nodes(as(Caller.node(), "kubelet"), clock, version).create(count);
    }

    /** Starts what puts Pods on nodes and makes them run. */
    public Future<Void> startNodes() {
        SimulatedScheduler scheduler =
                new SimulatedScheduler(vertx, as(Caller.system("kube-scheduler"), "kube-scheduler"), this::bind, clock);
        SimulatedKubelet kubelet = new SimulatedKubelet(vertx, as(Caller.node(), "kubelet"), clock);
        scheduler.start();
        kubelet.start();
        stops.add(scheduler::stop);
        stops.add(kubelet::stop);
        return Future.succeededFuture();
    }

    /** Nothing is begun any more; what is under way ends. */
    public void stop() {
        stops.forEach(Runnable::run);
        stops.clear();
    }

    private Future<Void> bind(ObjectKey pod, String uid, String node) {
        ObjectNode binding = JsonNodeFactory.instance.objectNode();
        binding.putObject("metadata").put("name", pod.name()).put("uid", uid);
        binding.putObject("target").put("kind", "Node").put("name", node);
        return cluster.catalog()
                .stored(PODS)
                .map(pods -> Future.succeededFuture()
                        .compose(begun -> verbs.bindings()
                                .bind(
                                        new Target(pods, pod.namespace(), pod.name(), "binding"),
                                        WriteOptions.of(Caller.system("kube-scheduler"), "kube-scheduler"),
                                        binding)))
                .orElseThrow();
    }

    private InProcessStore as(Caller caller, String manager) {
        return new InProcessStore(cluster, verbs, feed, WriteOptions.of(caller, manager));
    }
}
