package io.busbar.admission.server;

import io.busbar.common.guard.Thrown;
import io.opentelemetry.api.trace.Span;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what a rule or a converter has thrown: the trace and the log learn how, the metric how often.
 *
 * <p>Any thread. Nothing here throws.
 */
record PanicReport(String path, WebhookMetrics metrics) {

    private static final Logger log = LoggerFactory.getLogger(PanicReport.class);

    /**
     * @param uid of the request; empty where it is not known
     * @return what the API server may know of it: not the reason
     */
    String of(Throwable failure, String uid) {
        metrics.panicked();
        try {
            Throwable readable = Thrown.loggable(failure);
            log.atError()
                    .setCause(readable)
                    .addKeyValue("webhook", path)
                    .addKeyValue("uid", uid)
                    .log("Webhook failed");
            Span.current().recordException(readable);
        } catch (Throwable unreported) {
            // Such as a stack that is full: the answer counts for more.
        }
        return "webhook " + path + " failed on this request; its log tells more"
                + (uid.isEmpty() ? "" : " under uid " + uid);
    }
}
