package io.busbar.sandbox.http;

import io.busbar.sandbox.faults.FaultPlan;
import io.busbar.sandbox.faults.FaultPlan.Mishap;
import io.busbar.sandbox.request.Target;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpVersion;

/**
 * Lets happen to a request what a {@link FaultPlan} says.
 *
 * <p>One context.
 */
final class Mishaps {

    private final Vertx vertx;
    private final FaultPlan plan;

    Mishaps(Vertx vertx, FaultPlan plan) {
        this.vertx = vertx;
        this.plan = plan;
    }

    /** What happens to a request; it happens by that. */
    Mishap of(Call call, Target target, boolean watch) {
        return plan.next(verb(call, target, watch), target, call.request().version() == HttpVersion.HTTP_2);
    }

    /** Completes, at once when there is no delay, or fails as the request is to. */
    Future<Void> before(Mishap mishap) {
        Future<Void> then = mishap.refusal() == null ? Future.succeededFuture() : Future.failedFuture(mishap.refusal());
        return mishap.delay().isZero()
                ? then
                : vertx.timer(Math.max(1, mishap.delay().toMillis())).compose(over -> then);
    }

    /** As RBAC has it. */
    static String verb(Call call, Target target, boolean watch) {
        boolean named = !target.name().isEmpty();
        return switch (call.method().name()) {
            case "GET", "HEAD" -> watch ? "watch" : named ? "get" : "list";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "DELETE" -> named ? "delete" : "deletecollection";
            default -> "patch";
        };
    }
}
