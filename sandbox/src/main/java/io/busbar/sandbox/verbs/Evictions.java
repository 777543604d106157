package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.request.DeleteOptions;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Conditions;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes Pods, if their PodDisruptionBudget lets them go.
 *
 * <p>One context. Others have their say in the Eviction, not in the Pod. The rules and words of the API server's
 * {@code eviction.go}.
 */
public final class Evictions {

    private static final ObjectKind EVICTION = new ObjectKind("policy", "v1", "Eviction");
    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource BUDGETS = new GroupResource("policy", "poddisruptionbudgets");
    /** Pods that serve nobody yet or any more. */
    private static final Set<String> FREE = Set.of("Succeeded", "Failed", "Pending");

    private static final int PROCESSING_SECONDS = 10;
    /** The release whose evicted Pods tell why. */
    private static final int CONDITIONS = 26;

    private final Cluster cluster;
    private final Updates updates;
    private final Deletes deletes;
    private final Submissions submissions;

    Evictions(Cluster cluster, Updates updates, Deletes deletes, Submissions submissions) {
        this.cluster = cluster;
        this.updates = updates;
        this.deletes = deletes;
        this.submissions = submissions;
    }

    /** @param eviction not shared; it may do without {@code deleteOptions} */
    public Future<Void> evict(Target target, WriteOptions options, ObjectNode eviction) {
        eviction.put("apiVersion", "policy/v1"); // Whatever version it comes in, others see this one.
        return submissions.submit(
                target,
                options,
                EVICTION,
                eviction,
                body -> {
                    if (!Metadata.of(body).name().equals(target.name())) {
                        throw StatusException.badRequest("name in URL does not match name in Eviction object");
                    }
                },
                body -> carryOut(target, options, body.path("deleteOptions")));
    }

    private Future<Void> carryOut(Target target, WriteOptions options, JsonNode deleteOptions) {
        DeleteOptions how = DeleteOptions.of(deleteOptions);
        WriteOptions as = how.dryRun() ? options.trying() : options;
        ObjectNode pod = cluster.store().shelf(PODS).get(target.key());
        if (pod == null) {
            throw StatusException.notFound(PODS, target.name());
        }
        Future<?> allowed = isFree(pod) ? Future.succeededFuture() : ask(target, as, pod);
        return allowed.compose(yes -> {
            how.preconditions().check(target.resource(), pod);
            if (!as.dryRun() && cluster.release().since(CONDITIONS)) {
                updates.changeUnasked(
                        target,
                        false,
                        evicted -> Condition.set(
                                        evicted,
                                        "DisruptionTarget",
                                        cluster.clock().instant())
                                .put("reason", "EvictionByEvictionAPI")
                                .put("message", "Eviction API: evicting"));
            }
            return deletes.deleteUnasked(target.sub(""), as, how.unconditional())
                    .mapEmpty();
        });
    }

    private static boolean isFree(ObjectNode pod) {
        return FREE.contains(pod.path("status").path("phase").asText())
                || Metadata.of(pod).deleting();
    }

    private Future<?> ask(Target target, WriteOptions options, ObjectNode pod) {
        List<ObjectNode> budgets = cluster.store().shelf(BUDGETS).objects(target.namespace()).values().stream()
                .filter(budget -> covers(budget.path("spec").path("selector"), pod))
                .toList();
        if (budgets.isEmpty()) {
            return Future.succeededFuture();
        }
        if (budgets.size() > 1) {
            throw new StatusException(
                    500,
                    "",
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
                    null);
        }
        Target budget = cluster.catalog()
                .stored(BUDGETS)
                .map(served -> new Target(
                        served, target.namespace(), Metadata.of(budgets.get(0)).name(), "status"))
                .orElseThrow();
        if (options.dryRun()) {
            return Future.succeededFuture(
                    spend(budgets.get(0).deepCopy(), target.name(), Conditions.isTrue(pod.path("status"), "Ready")));
        }
        return updates.patch(
                budget,
                WriteOptions.of(Caller.master("system:apiserver"), "kube-apiserver"),
                before -> spend(before.deepCopy(), target.name(), Conditions.isTrue(pod.path("status"), "Ready")));
    }

    private static boolean covers(JsonNode selector, ObjectNode pod) {
        return selector.isObject()
                && LabelSelector.of(selector).matches(pod.path("metadata").path("labels"));
    }

    /** Takes one from what the budget allows, and notes the Pod until its deletion is seen. */
    private ObjectNode spend(ObjectNode budget, String pod, boolean ready) {
        Metadata metadata = Metadata.of(budget);
        ObjectNode status = budget.withObject("/status");
        int healthy = status.path("currentHealthy").asInt();
        int desired = status.path("desiredHealthy").asInt();
        boolean always =
                budget.path("spec").path("unhealthyPodEvictionPolicy").asText().equals("AlwaysAllow");
        if (!ready && (always || (healthy >= desired && desired > 0))) {
            return budget;
        }
        if (status.path("observedGeneration").asLong() < metadata.generation()) {
            throw refused(
                    "The disruption budget " + metadata.name() + " is still being processed by the server.",
                    PROCESSING_SECONDS);
        }
        int allowed = status.path("disruptionsAllowed").asInt();
        if (allowed < 0) {
            throw StatusException.forbidden(
                    new GroupResource("policy", "poddisruptionbudget"),
                    metadata.name(),
                    "pdb disruptions allowed is negative");
        }
        if (allowed == 0) {
            throw refused(
                    Optional.of(Conditions.find(status, "DisruptionAllowed"))
                            .filter(condition ->
                                    condition.path("reason").asText().equals("SyncFailed"))
                            .map(condition -> condition.path("message").asText())
                            .map(why -> "The disruption budget " + metadata.name()
                                    + " does not allow evicting pods currently because it failed sync: " + why)
                            .orElse("The disruption budget " + metadata.name() + " needs " + desired
                                    + " healthy pods and has " + healthy + " currently"),
                    0);
        }
        status.put("disruptionsAllowed", allowed - 1);
        ObjectNode disrupted =
                status.get("disruptedPods") instanceof ObjectNode known ? known : status.putObject("disruptedPods");
        disrupted.put(pod, Metadata.time(cluster.clock().instant()));
        return budget;
    }

    private static StatusException refused(String why, int retryAfterSeconds) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        details.putArray("causes").addObject().put("reason", "DisruptionBudget").put("message", why);
        if (retryAfterSeconds > 0) {
            details.put("retryAfterSeconds", retryAfterSeconds);
        }
        return new StatusException(
                429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", details);
    }
}
