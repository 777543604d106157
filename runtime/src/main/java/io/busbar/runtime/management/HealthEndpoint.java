package io.busbar.runtime.management;

import io.vertx.core.Handler;
import io.vertx.ext.healthchecks.CheckResult;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers as the API server's own /readyz does: 200 or 500, and with {@code ?verbose} a line for each check.
 *
 * <p>Any context. A failed answer always has the lines.
 */
final class HealthEndpoint implements Handler<RoutingContext> {

    /** Why a check failed, or what there is to say of one that passed; in the data of its status. */
    static final String REASON = "reason";

    private final String name;
    private final HealthChecks checks;

    HealthEndpoint(String name, HealthChecks checks) {
        this.name = name;
        this.checks = checks;
    }

    @Override
    public void handle(RoutingContext request) {
        checks.checkStatus()
                .onSuccess(result -> answer(request, result))
                .onFailure(failure -> request.response().setStatusCode(500).end(name + " check failed\n"));
    }

    private void answer(RoutingContext request, CheckResult result) {
        boolean up = CheckResult.isUp(result);
        boolean verbose = !up || request.queryParams().contains("verbose");
        request.response()
                .setStatusCode(up ? 200 : 500)
                .putHeader("Content-Type", "text/plain; charset=utf-8")
                .end(verbose ? lines(result) + name + " check " + (up ? "passed\n" : "failed\n") : "ok");
    }

    private static String lines(CheckResult result) {
        StringBuilder lines = new StringBuilder();
        if (result.getChecks() != null) {
            for (CheckResult check : result.getChecks()) {
                lines.append(CheckResult.isUp(check) ? "[+]" : "[-]").append(check.getId());
                lines.append(CheckResult.isUp(check) ? " ok" : " failed")
                        .append(reason(check))
                        .append('\n');
            }
        }
        return lines.toString();
    }

    private static String reason(CheckResult check) {
        String reason = check.getStatus() == null || check.getStatus().getData() == null
                ? null
                : check.getStatus().getData().getString(REASON);
        return reason == null ? "" : ": " + reason;
    }
}
