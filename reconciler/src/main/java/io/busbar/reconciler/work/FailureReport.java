package io.busbar.reconciler.work;

import io.busbar.common.api.ApiFailure;
import io.busbar.common.guard.Thrown;
import io.busbar.reconciler.TerminalException;
import io.busbar.reconciler.leader.FencedException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The one place that logs failed reconciles.
 *
 * <p>ERROR where a person must act: bugs (with the stack trace, the first time in a row), terminal failures, requests
 * that the API server refuses. WARN for what may mend by itself; a first conflict, or an object that is gone the first
 * time, are the order of the day, as is all that another replica will do: at DEBUG.
 *
 * <p>Any thread. Nothing here throws, though the methods of a failure may.
 */
final class FailureReport {

    private static final Logger log = LoggerFactory.getLogger(FailureReport.class);

    private FailureReport() {}

    /**
     * Whether the code is wrong, as opposed to the world: an error, or an unchecked exception that is not the client's.
     */
    static boolean isPanic(Throwable failure) {
        return failure instanceof Error
                || (failure instanceof RuntimeException && !(failure instanceof KubernetesClientException));
    }

    static void log(Throwable failure, int attempt) {
        boolean trace = isPanic(failure) && attempt == 1;
        Level level = level(failure, attempt);
        log.atLevel(level)
                .setCause(trace || log.isDebugEnabled() ? Thrown.loggable(failure) : null)
                .addKeyValue("attempt", attempt)
                .addKeyValue("error", message(failure))
                .log("reconcile failed");
    }

    static String message(Throwable failure) {
        String message = Thrown.message(failure);
        if (message != null && failure instanceof KubernetesClientException call) {
            // Which call it was, and why it failed: the client does not always say both.
            String reason = ApiFailure.of(call).message();
            return message.contains(reason) ? message : message + ' ' + reason;
        }
        return message != null && failure instanceof TerminalException ? message : Thrown.text(failure);
    }

    private static Level level(Throwable failure, int attempt) {
        if (failure instanceof FencedException) {
            return Level.DEBUG;
        }
        if (failure instanceof KubernetesClientException refused) {
            ApiFailure kind = ApiFailure.of(refused);
            if (kind instanceof ApiFailure.Rejected) {
                return Level.ERROR;
            }
            boolean outrun = kind instanceof ApiFailure.Conflict || kind instanceof ApiFailure.NotFound;
            return outrun && attempt == 1 ? Level.DEBUG : Level.WARN;
        }
        return isPanic(failure) || failure instanceof TerminalException ? Level.ERROR : Level.WARN;
    }
}
