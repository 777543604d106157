package io.busbar.sandbox.http;

import io.busbar.sandbox.cel.Loading;
import io.busbar.sandbox.request.Target;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Set;

/**
 * Holds back the request that brings the first expressions until CEL is loaded, on a worker: only that one waits, and
 * nothing of it is carried out before, so that writes come in the order that they would have without.
 *
 * <p>One context.
 */
final class Expressions {

    private static final Set<String> CARRIERS =
            Set.of("customresourcedefinitions", "mutatingwebhookconfigurations", "validatingwebhookconfigurations");

    private final Vertx vertx;
    private final boolean sharding;

    /** @param sharding whether shard selectors are read, which are CEL */
    Expressions(Vertx vertx, boolean sharding) {
        this.vertx = vertx;
        this.sharding = sharding;
    }

    /** Completes at once for all others. */
    Future<Void> ready(Call call, Target target) {
        return Loading.isDone() || !brings(call, target)
                ? Future.succeededFuture()
                : vertx.executeBlocking(
                        () -> {
                            Loading.load();
                            return null;
                        },
                        true);
    }

    private boolean brings(Call call, Target target) {
        if (sharding && call.asks("shardSelector")) {
            return true;
        }
        if (!CARRIERS.contains(target.resource().type().plural())) {
            return false;
        }
        String body = call.body().toString();
        return body.contains("x-kubernetes-validations") || body.contains("matchConditions");
    }
}
