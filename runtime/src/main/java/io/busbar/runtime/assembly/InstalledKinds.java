package io.busbar.runtime.assembly;

import io.busbar.common.ResourceType;
import io.busbar.common.api.ApiFailure;
import io.busbar.common.guard.Guard;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which bundles a cluster is made for: those of whose kinds the API server serves all. Versions that an operator
 * converts are served once it runs.
 *
 * <p>The API server's discovery is asked, again and again while a kind is missing: everybody may read it, it names what
 * is served and not what is merely defined, and it costs a small answer for each group, where a watch on definitions
 * needs a permission and brings all of the cluster's.
 *
 * <p>Any thread. An API server that is away is asked until it answers; so is one that serves none of the kinds, since
 * somebody who starts an operator will install them.
 */
final class InstalledKinds {

    private static final Logger log = LoggerFactory.getLogger(InstalledKinds.class);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration PAUSE_FOR_MORE = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final KubernetesClient client;
    private final Guard turns;
    /** Questions that are not answered yet, by API version: one at a time, however often somebody wants to know. */
    private final Map<String, Future<Set<String>>> asking = new ConcurrentHashMap<>();

    private volatile boolean stopped;
    private volatile String told = "";

    InstalledKinds(Vertx vertx, KubernetesClient client, MeterRegistry meters) {
        this.vertx = vertx;
        this.client = client;
        this.turns = new Guard("installed kinds", meters);
    }

    /** Completes with one at least, in their order; fails once this is stopped. */
    Future<List<DeclaredBundle>> of(List<DeclaredBundle> bundles) {
        if (stopped) {
            return Future.failedFuture("stopped before any kind was found");
        }
        return installed(bundles)
                .compose(found -> {
                    if (found.isEmpty()) {
                        return again(bundles, "no kind of any operator is installed");
                    }
                    return Future.succeededFuture(found);
                })
                .recover(failure -> {
                    if (!(failure instanceof KubernetesClientException)) {
                        return Future.failedFuture(failure);
                    }
                    return again(bundles, ApiFailure.reason(failure));
                });
    }

    /**
     * Waits for the kinds of more bundles.
     *
     * @param missing those that were not installed
     * @param found called for each once, on an event loop, when it is
     */
    void await(List<DeclaredBundle> missing, Consumer<DeclaredBundle> found) {
        if (missing.isEmpty() || stopped) {
            return;
        }
        vertx.setTimer(
                PAUSE_FOR_MORE.toMillis(),
                timer -> installed(missing)
                        .recover(failure -> {
                            log.atDebug()
                                    .addKeyValue("reason", ApiFailure.reason(failure))
                                    .log("cannot ask which kinds are installed");
                            return Future.succeededFuture(List.of());
                        })
                        .onSuccess(installed -> {
                            if (!stopped) {
                                installed.forEach(bundle -> turns.run(() -> found.accept(bundle)));
                            }
                            await(
                                    missing.stream()
                                            .filter(bundle -> !installed.contains(bundle))
                                            .toList(),
                                    found);
                        }));
    }

    /** Whether a kind is served; true where the API server does not say so within a second. */
    Future<Boolean> serves(ResourceType type) {
        String apiVersion = apiVersion(type);
        Promise<Set<String>> answer = Promise.promise();
        Future<Set<String>> under = asking.putIfAbsent(apiVersion, answer.future());
        if (under == null) {
            vertx.executeBlocking(() -> served(apiVersion), false)
                    .onComplete(done -> asking.remove(apiVersion))
                    .onComplete(answer);
        }
        return (under == null ? answer.future() : under)
                .timeout(1, TimeUnit.SECONDS)
                .map(served -> served.contains(path(apiVersion, type.plural())))
                .otherwise(true);
    }

    void stop() {
        stopped = true;
    }

    /** The kinds of a bundle that the API server is to serve for it, as people call them. */
    static List<String> names(DeclaredBundle bundle) {
        return needed(bundle).map(ResourceType::kind).toList();
    }

    /** Says why, unless that is what it said last, or nobody waits any more. */
    private Future<List<DeclaredBundle>> again(List<DeclaredBundle> bundles, String reason) {
        if (!stopped && !reason.equals(told)) {
            log.atWarn()
                    .addKeyValue("reason", reason)
                    .addKeyValue("server", client.getMasterUrl())
                    .log("no operator can run yet; asking again");
            told = reason;
        }
        Promise<List<DeclaredBundle>> later = Promise.promise();
        vertx.setTimer(PAUSE.toMillis(), timer -> of(bundles).onComplete(later));
        return later.future();
    }

    /** Asks for each API group and version once, for all at the same time. */
    private Future<List<DeclaredBundle>> installed(List<DeclaredBundle> bundles) {
        List<Future<Set<String>>> groups = bundles.stream()
                .flatMap(InstalledKinds::needed)
                .map(InstalledKinds::apiVersion)
                .distinct()
                .map(apiVersion -> vertx.executeBlocking(() -> served(apiVersion), false))
                .toList();
        return Future.all(groups).map(answered -> {
            Set<String> served =
                    groups.stream().flatMap(group -> group.result().stream()).collect(Collectors.toSet());
            return bundles.stream()
                    .filter(bundle ->
                            needed(bundle).allMatch(type -> served.contains(path(apiVersion(type), type.plural()))))
                    .toList();
        });
    }

    private static Stream<ResourceType> needed(DeclaredBundle bundle) {
        return bundle.needed().stream();
    }

    /** The paths of what is served in it; none where there is no such group or version. */
    private Set<String> served(String apiVersion) {
        APIResourceList served = client.getApiResources(apiVersion);
        return served == null
                ? Set.of()
                : served.getResources().stream()
                        .map(resource -> path(apiVersion, resource.getName()))
                        .collect(Collectors.toSet());
    }

    private static String apiVersion(ResourceType type) {
        return type.group().isEmpty() ? type.version() : type.group() + "/" + type.version();
    }

    private static String path(String apiVersion, String plural) {
        return apiVersion + "/" + plural;
    }
}
