package io.busbar.operator.sidecarset.validation;

import io.fabric8.kubernetes.api.model.ExecAction;
import io.fabric8.kubernetes.api.model.GRPCAction;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.HTTPHeader;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Lifecycle;
import io.fabric8.kubernetes.api.model.LifecycleHandler;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.SleepAction;
import io.fabric8.kubernetes.api.model.TCPSocketAction;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What probes and lifecycle hooks must be. Pure functions, any thread; absent ones are right. */
final class ProbeRules {

    private ProbeRules() {}

    /** A liveness or startup probe: it succeeds at once. */
    static void liveness(Field at, @Nullable Probe probe) {
        if (probe == null) {
            return;
        }
        probe(at, probe);
        Integer successes = probe.getSuccessThreshold();
        if (successes == null || successes != 1) {
            at.child("successThreshold").invalid(successes == null ? 0 : successes, "must be 1");
        }
        Long grace = probe.getTerminationGracePeriodSeconds();
        if (grace != null && grace <= 0) {
            at.child("terminationGracePeriodSeconds").invalid(grace, "must be greater than 0");
        }
    }

    static void readiness(Field at, @Nullable Probe probe) {
        if (probe == null) {
            return;
        }
        probe(at, probe);
        if (probe.getTerminationGracePeriodSeconds() != null) {
            at.child("terminationGracePeriodSeconds")
                    .invalid(probe.getTerminationGracePeriodSeconds(), "must not be set for readinessProbes");
        }
    }

    static void lifecycle(Field at, @Nullable Lifecycle lifecycle) {
        if (lifecycle != null) {
            hook(at.child("postStart"), lifecycle.getPostStart());
            hook(at.child("preStop"), lifecycle.getPreStop());
        }
    }

    private static void probe(Field at, Probe probe) {
        oneHandler(at, probe.getExec(), probe.getHttpGet(), probe.getTcpSocket(), probe.getGrpc());
        actions(at, probe.getExec(), probe.getHttpGet(), probe.getTcpSocket());
        GRPCAction grpc = probe.getGrpc();
        if (grpc != null) {
            at.child("grpc").child("port").between(grpc.getPort() == null ? 0 : grpc.getPort(), 1, 65535);
        }
        at.child("initialDelaySeconds").notNegative(probe.getInitialDelaySeconds());
        at.child("timeoutSeconds").notNegative(probe.getTimeoutSeconds());
        at.child("periodSeconds").notNegative(probe.getPeriodSeconds());
        at.child("successThreshold").notNegative(probe.getSuccessThreshold());
        at.child("failureThreshold").notNegative(probe.getFailureThreshold());
    }

    private static void hook(Field at, @Nullable LifecycleHandler hook) {
        if (hook == null) {
            return;
        }
        oneHandler(at, hook.getExec(), hook.getHttpGet(), hook.getTcpSocket(), hook.getSleep());
        actions(at, hook.getExec(), hook.getHttpGet(), hook.getTcpSocket());
        SleepAction sleep = hook.getSleep();
        if (sleep != null) {
            at.child("sleep").child("seconds").notNegative(sleep.getSeconds());
        }
    }

    private static void oneHandler(Field at, @Nullable Object... handlers) {
        long given = Stream.of(handlers).filter(Objects::nonNull).count();
        if (given == 0) {
            at.required("must specify a handler type");
        } else if (given > 1) {
            at.forbidden("may not specify more than 1 handler type");
        }
    }

    private static void actions(
            Field at, @Nullable ExecAction exec, @Nullable HTTPGetAction http, @Nullable TCPSocketAction socket) {
        if (exec != null && (exec.getCommand() == null || exec.getCommand().isEmpty())) {
            at.child("exec").child("command").required("");
        }
        if (http != null) {
            Field get = at.child("httpGet");
            get.child("path").hasText(http.getPath());
            port(get.child("port"), http.getPort());
            get.child("scheme").oneOf(http.getScheme(), "HTTP", "HTTPS");
            get.<HTTPHeader>each(
                    "httpHeaders",
                    http.getHttpHeaders(),
                    (header, value) -> header.child("name").text(value.getName(), Names::header));
        }
        if (socket != null) {
            port(at.child("tcpSocket").child("port"), socket.getPort());
        }
    }

    private static void port(Field at, @Nullable IntOrString port) {
        if (port != null && port.getStrVal() != null) {
            at.text(port.getStrVal(), Names::port);
        } else {
            at.between(port == null || port.getIntVal() == null ? 0 : port.getIntVal(), 1, 65535);
        }
    }
}
