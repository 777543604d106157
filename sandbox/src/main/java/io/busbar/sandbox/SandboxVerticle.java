package io.busbar.sandbox;

import io.busbar.sandbox.admission.AdmissionChain;
import io.busbar.sandbox.admission.ExpressionInputs;
import io.busbar.sandbox.admission.Plugins;
import io.busbar.sandbox.admission.Webhooks;
import io.busbar.sandbox.auth.Access;
import io.busbar.sandbox.auth.Authenticator;
import io.busbar.sandbox.auth.ServiceAccountTokens;
import io.busbar.sandbox.auth.TokenRequests;
import io.busbar.sandbox.auth.UserTokens;
import io.busbar.sandbox.clock.ClusterClock;
import io.busbar.sandbox.clock.ManualClock;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.crd.CustomResources;
import io.busbar.sandbox.faults.FaultPlan;
import io.busbar.sandbox.faults.Faults;
import io.busbar.sandbox.faults.Lags;
import io.busbar.sandbox.http.ApiServer;
import io.busbar.sandbox.http.HttpSettings;
import io.busbar.sandbox.http.RequestLog;
import io.busbar.sandbox.journal.DataDirectory;
import io.busbar.sandbox.kinds.BuiltInKinds;
import io.busbar.sandbox.kinds.pod.RuntimeClasses;
import io.busbar.sandbox.kinds.service.ServiceAddresses;
import io.busbar.sandbox.policy.PolicyChain;
import io.busbar.sandbox.priority.Priorities;
import io.busbar.sandbox.quota.Limits;
import io.busbar.sandbox.quota.Quotas;
import io.busbar.sandbox.rbac.Authorizer;
import io.busbar.sandbox.rbac.Deciding;
import io.busbar.sandbox.rbac.Escalation;
import io.busbar.sandbox.rbac.RbacAuthorizer;
import io.busbar.sandbox.rbac.Unrestricted;
import io.busbar.sandbox.resource.BuiltIn;
import io.busbar.sandbox.resource.Catalog;
import io.busbar.sandbox.resource.Release;
import io.busbar.sandbox.server.ChangeFeed;
import io.busbar.sandbox.server.ControlPlane;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.tls.TlsIdentity;
import io.busbar.sandbox.verbs.Cluster;
import io.busbar.sandbox.verbs.Verbs;
import io.busbar.sandbox.webhook.ServiceRoutes;
import io.busbar.sandbox.webhook.WebhookClient;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole sandbox on one context: store, HTTP server, and the simulated parts of the cluster.
 *
 * <p>One context.
 */
final class SandboxVerticle extends VerticleBase {

    private static final Logger log = LoggerFactory.getLogger(SandboxVerticle.class);
    private static final long SYNC_MILLIS = 1_000;

    private final SandboxOptions options;
    private final Foundation foundation;
    private final @Nullable TlsIdentity tls;
    private final List<Runnable> stops = new ArrayList<>();
    private final FaultPlan plan = new FaultPlan();
    private final UserTokens users = new UserTokens();
    private final ServiceRoutes services = new ServiceRoutes();
    private @Nullable Started started;

    SandboxVerticle(SandboxOptions options, Foundation foundation) {
        this.options = options;
        this.foundation = foundation;
        this.tls = foundation.tls(options).orElse(null);
    }

    /** What is known once it is deployed. */
    record Started(int port, RunningSandbox running, Faults faults, UserTokens users, ServiceRoutes services) {}

    /** Once it is deployed. */
    Started started() {
        return Objects.requireNonNull(started, "not deployed");
    }

    @Override
    public Future<?> start() {
        ClusterClock clock = clock();
        Executor later = task -> {
            Runnable over = clock.working();
            context.runOnContext(turn -> {
                task.run();
                over.run();
            });
        };
        MemoryStore store = new MemoryStore(options.history(), later);
        Release release = Release.of(options.version());
        BuiltInKinds kinds = kinds(store, ServiceAddresses.of(store));
        // Reads all that is known of these kinds, for which an event loop has no time.
        return vertx.executeBlocking(() -> new Catalog(BuiltIn.resources(kinds, release)), false)
                .compose(catalog -> start(clock, later, store, release, catalog));
    }

    private Future<Started> start(
            ClusterClock clock, Executor later, MemoryStore store, Release release, Catalog catalog) {
        WebhookClient webhooks = new WebhookClient(vertx, store, services, plan);
        CustomResources customResources = new CustomResources(catalog, webhooks);
        store.onChange(customResources::changed);
        RbacAuthorizer rbac = new RbacAuthorizer();
        store.onChange(rbac::changed);
        Authorizer authorizer = options.rbac() ? rbac : new Unrestricted();
        ExpressionInputs inputs = new ExpressionInputs(store, caller -> Deciding.of(authorizer, caller));
        Webhooks reviews = new Webhooks(store, catalog, webhooks, release, inputs);
        PolicyChain policies = new PolicyChain(store, catalog, inputs);
        Plugins plugins = new Plugins(
                List.of(new Limits(store), new RuntimeClasses(store), new Priorities(store)),
                List.of(policies, reviews),
                new Quotas(store, catalog, clock));
        AdmissionChain admission = options.rbac() ? new Escalation(plugins, rbac) : plugins;
        Cluster cluster = new Cluster(catalog, store, admission, clock, release);
        Verbs verbs = Verbs.of(cluster);
        ChangeFeed feed = new ChangeFeed(later);
        store.onChange(feed::changed);
        ServiceAccountTokens tokens =
                new ServiceAccountTokens(store, foundation.identity().tokenKey(), clock);
        Access access = new Access(
                new Authenticator(foundation.identity().token(), options.rbac(), users, tokens),
                authorizer,
                new TokenRequests(store, tokens, clock, release));
        RequestLog requests = new RequestLog(clock);
        Lags lags = new Lags(store, clock);
        ApiServer server = new ApiServer(
                vertx,
                cluster,
                verbs,
                new HttpSettings(
                        options.version(),
                        options.bookmarks(),
                        plan,
                        lags,
                        requests,
                        options.featureGates().contains(FeatureGate.SHARDED_LIST_AND_WATCH),
                        options.featureGates().contains(FeatureGate.MANAGED_FIELDS_OPT_OUT)),
                access);
        FrontDoor door = new FrontDoor(vertx, options, foundation, server);
        ControlPlane plane = new ControlPlane(vertx, cluster, verbs, feed);
        RunningSandbox running = new RunningSandbox(context, store, server, requests, door, lags, plane);
        foundation.data().ifPresent(data -> keep(data, store));
        stops.add(plane::stop);
        stops.add(webhooks::close);
        // Step by step, so that others on the event loop come in between.
        return step(() -> plane.startControllers(tls == null ? "" : tls.authority(), tokens))
                .compose(ready -> options.rbac() ? step(plane::createRoles) : Future.succeededFuture())
                .compose(ready -> options.controllers() ? step(plane::startWorkloads) : Future.succeededFuture())
                .compose(ready -> step(() -> plane.createNodes(options.nodes(), options.version())))
                .compose(ready -> options.kubelet() ? step(plane::startNodes) : Future.succeededFuture())
                .compose(ready -> step(door::open))
                .onSuccess(port -> warn())
                .map(port -> new Started(port, running, new Faults(plan, running), users, services))
                .onSuccess(all -> started = all);
    }

    private <T> Future<T> step(Supplier<Future<T>> work) {
        return RunningSandbox.inTurn(context, work);
    }

    private void warn() {
        if (foundation.address().isOpen()) {
            log.atWarn()
                    .addKeyValue("address", foundation.address().listening().getHostAddress())
                    .log("other machines can reach this server: whoever has its kubeconfig may do everything in it");
        }
    }

    @Override
    public Future<?> stop() {
        stops.forEach(Runnable::run);
        return vertx.executeBlocking(foundation::close, false);
    }

    private void keep(DataDirectory data, MemoryStore store) {
        data.attach(store, task -> vertx.executeBlocking(Executors.callable(task), false));
        vertx.setPeriodic(
                SYNC_MILLIS,
                timer -> vertx.executeBlocking(
                                () -> {
                                    data.sync();
                                    return null;
                                },
                                false)
                        .onFailure(failure -> log.atWarn().setCause(failure).log("changes may not be on the disk")));
    }

    private ClusterClock clock() {
        return options.clock()
                .map(manual -> {
                    ManualClock.OfCluster own = manual.on(context);
                    stops.add(own.close());
                    return own.clock();
                })
                .orElseGet(() -> ClusterClock.system(vertx));
    }

    private BuiltInKinds kinds(MemoryStore store, ServiceAddresses addresses) {
        BuiltInKinds kinds =
                BuiltInKinds.of(addresses).withAccounts(store.shelf(GroupResource.core("serviceaccounts"))::get);
        return options.controllers()
                ? kinds.withStorageClasses(() ->
                        store.shelf(Kind.STORAGE_CLASS.resource()).objects("").values())
                : kinds;
    }
}
