package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;

/**
 * Deletes Pods, if their PodDisruptionBudget lets them go.
 *
 * <p>One context. The rules and words of the API server's {@code eviction.go}.
 */
public final class Evictions {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource BUDGETS = new GroupResource("policy", "poddisruptionbudgets");
    /** Pods that serve nobody yet or any more. */
    private static final Set<String> FREE = Set.of("Succeeded", "Failed", "Pending");

    private static final int PROCESSING_SECONDS = 10;

    private final Cluster cluster;
    private final Updates updates;
    private final Deletes deletes;

    Evictions(Cluster cluster, Updates updates, Deletes deletes) {
        this.cluster = cluster;
        this.updates = updates;
        this.deletes = deletes;
    }

    /** @param deleteOptions may be missing */
    public Future<Deleted> evict(Target target, WriteOptions options, JsonNode deleteOptions) {
        DeleteOptions how = deleteOptions.isObject() ? DeleteOptions.of(deleteOptions) : DeleteOptions.DEFAULT;
        WriteOptions wanted = how.dryRun() ? options.trying() : options;
        ObjectNode pod = cluster.store().shelf(PODS).get(target.key());
        if (pod == null) {
            throw StatusException.notFound(PODS, target.name());
        }
        Future<?> allowed = isFree(pod) ? Future.succeededFuture() : ask(target, wanted, pod);
        return allowed.compose(yes -> deletes.delete(target.sub(""), wanted, how));
    }

    private static boolean isFree(ObjectNode pod) {
        return FREE.contains(pod.path("status").path("phase").asText())
                || Metadata.of(pod).deleting();
    }

    private Future<?> ask(Target target, WriteOptions options, ObjectNode pod) {
        List<ObjectNode> budgets = cluster.store().shelf(BUDGETS).objects(target.namespace()).values().stream()
                .filter(budget -> LabelSelector.of(budget.path("spec").path("selector"))
                        .matches(pod.path("metadata").path("labels")))
                .toList();
        if (budgets.isEmpty()) {
            return Future.succeededFuture();
        }
        if (budgets.size() > 1) {
            throw StatusException.internal(
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
        }
        Target budget = cluster.catalog()
                .stored(BUDGETS)
                .map(served -> new Target(
                        served, target.namespace(), Metadata.of(budgets.get(0)).name(), "status"))
                .orElseThrow();
        return updates.patch(budget, options, before -> spend(before.deepCopy(), target.name(), isReady(pod)));
    }

    /** Takes one from what the budget allows, and notes the Pod until its deletion is seen. */
    private ObjectNode spend(ObjectNode budget, String pod, boolean ready) {
        Metadata metadata = Metadata.of(budget);
        ObjectNode status = budget.withObject("/status");
        if (status.path("observedGeneration").asLong() < metadata.generation()) {
            throw refused(
                    "The disruption budget " + metadata.name() + " is still being processed by the server.",
                    PROCESSING_SECONDS);
        }
        int healthy = status.path("currentHealthy").asInt();
        int desired = status.path("desiredHealthy").asInt();
        boolean always =
                budget.path("spec").path("unhealthyPodEvictionPolicy").asText().equals("AlwaysAllow");
        if (!ready && (always || (healthy >= desired && desired > 0))) {
            return budget;
        }
        int allowed = status.path("disruptionsAllowed").asInt();
        if (allowed <= 0) {
            throw refused(
                    "The disruption budget " + metadata.name() + " needs " + desired + " healthy pods and has "
                            + healthy + " currently",
                    0);
        }
        status.put("disruptionsAllowed", allowed - 1);
        ObjectNode disrupted =
                status.get("disruptedPods") instanceof ObjectNode known ? known : status.putObject("disruptedPods");
        disrupted.put(pod, Metadata.time(cluster.clock().instant()));
        return budget;
    }

    private static boolean isReady(ObjectNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
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
