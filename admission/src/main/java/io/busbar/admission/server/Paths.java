package io.busbar.admission.server;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.conversion.Conversions;
import io.busbar.common.guard.SlowCalls;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a server answers where, which may change while it runs. What is measured of a path goes on when its rule is
 * replaced.
 *
 * <p>Any thread.
 */
final class Paths {

    private final MeterRegistry registry;
    private final ReviewLog log;
    private final Map<String, WebhookMetrics> metrics = new ConcurrentHashMap<>();
    private final SlowCalls slow;
    private final Webhook selfCheck;
    private volatile Routes routes = new Routes(Map.of(), Set.of());

    Paths(MeterRegistry registry, ReviewLog log) {
        this.registry = registry;
        this.log = log;
        this.slow = new SlowCalls("webhook", registry);
        this.selfCheck = reviewing(
                SelfCheck.PATH,
                SelfCheck.RULE,
                new WebhookMetrics(new CompositeMeterRegistry(), SelfCheck.PATH),
                ReviewLog.off());
    }

    Routes routes() {
        return routes;
    }

    /**
     * @throws IllegalArgumentException when a path does not begin with a slash, or is taken; nothing has changed then
     */
    void serve(Map<String, AdmissionRule> rules, Conversions conversions, Set<String> waiting) {
        Map<String, Webhook> webhooks = new HashMap<>();
        webhooks.put(SelfCheck.PATH, selfCheck);
        if (!conversions.kinds().isEmpty()) {
            String path = Conversions.PATH;
            PanicReport panics = new PanicReport(path, measured(path));
            webhooks.put(path, new Webhook(path, new ConversionReviewer(conversions, panics), measured(path)));
        }
        for (String path : rules.keySet()) {
            if (!path.startsWith("/") || webhooks.containsKey(path)) {
                throw new IllegalArgumentException("not a path for a webhook: '" + path + "'");
            }
        }
        rules.forEach((path, rule) -> webhooks.put(path, reviewing(path, rule, measured(path), log)));
        routes = new Routes(webhooks, waiting);
    }

    private WebhookMetrics measured(String path) {
        return metrics.computeIfAbsent(path, absent -> new WebhookMetrics(registry, path));
    }

    private Webhook reviewing(String path, AdmissionRule rule, WebhookMetrics metrics, ReviewLog kept) {
        return new Webhook(path, new AdmissionReviewer(rule, new PanicReport(path, metrics), slow, kept), metrics);
    }
}
