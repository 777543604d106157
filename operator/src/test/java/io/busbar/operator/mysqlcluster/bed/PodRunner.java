package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the container of a Pod from when the Pod is bound until it is gone, after those that come first: again and again
 * when its restart policy says so, and tells the API server.
 *
 * <p>A thread of its own; {@link #deleted} and {@link #gone} come on any.
 */
final class PodRunner implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(PodRunner.class);

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofMillis(500);

    /** A kubelet takes a minute. */
    private static final Duration REFRESH = Duration.ofSeconds(3);

    private final Pod pod;
    private final Container container;
    private final ContainerPlans plans;
    private final PodStatuses statuses;
    private final Addresses.Address address;
    private final DatabasePod steering;
    private final Path enter;
    private final ContainerHistory history;
    private final ReadinessProbe probe;
    private final RestartBackoff backoff = new RestartBackoff();
    private final Instant deadline;

    private final CountDownLatch deletion = new CountDownLatch(1);
    private volatile Instant killAt = Instant.MAX;

    private Instant refreshAt = Instant.MIN;
    private String phase = "Pending";
    private String reason = "";
    private @Nullable BesideContainers beside;
    private final Map<Container, ContainerHistory> first;
    private @Nullable PodReport reported;

    PodRunner(
            Pod pod,
            ContainerPlans plans,
            PodStatuses statuses,
            Addresses.Address address,
            DatabasePod steering,
            Path enter) {
        this.pod = pod;
        this.container = ServerImage.container(pod);
        this.plans = plans;
        this.statuses = statuses;
        this.address = address;
        this.steering = steering;
        this.enter = enter;
        this.history = new ContainerHistory(container);
        this.first = first(pod, container);
        this.probe = new ReadinessProbe(address.ip(), container);
        this.deadline = Optional.ofNullable(pod.getSpec().getActiveDeadlineSeconds())
                .map(Instant.now()::plusSeconds)
                .orElse(Instant.MAX);
    }

    /** Others have images that are not known here. */
    private static Map<Container, ContainerHistory> first(Pod pod, Container container) {
        Map<Container, ContainerHistory> first = new LinkedHashMap<>();
        pod.getSpec().getInitContainers().stream()
                .filter(one -> container.getImage().equals(one.getImage()))
                .forEach(one -> first.put(one, new ContainerHistory(one)));
        return first;
    }

    /** It is to end within the grace period. */
    void deleted(Duration grace) {
        Instant latest = Instant.now().plus(grace);
        if (latest.isBefore(killAt)) {
            killAt = latest;
        }
        deletion.countDown();
    }

    /** The API server knows it no more, or soon: it is to end at once. */
    void gone() {
        deleted(Duration.ZERO);
    }

    @Override
    public void run() {
        try {
            report(false);
            while (goesOn()) {
                if (steering.isCutOff()) {
                    pause(TICK);
                } else if (steering.isHeld()) {
                    history.waiting("Held", "a test keeps it down");
                    report(false);
                    pause(TICK);
                } else {
                    start();
                }
            }
            while (!report(false) && !isDeleted()) {
                pause(RETRY);
            }
            deletion.await();
            while (!removed()) {
                TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
            }
        } catch (InterruptedException closed) {
            // The Node goes, and the API server does not answer any more.
        }
    }

    private boolean goesOn() {
        return !isDeleted() && (phase.equals("Pending") || phase.equals("Running"));
    }

    private boolean isDeleted() {
        return deletion.getCount() == 0;
    }

    private void pause(Duration time) throws InterruptedException {
        boolean ignored = deletion.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void start() throws InterruptedException {
        if (!address.use().tryLock(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
            return; // A Pod before it is still ending.
        }
        try {
            if (phase.equals("Pending") && !runFirst()) {
                return;
            }
            ContainerPlan plan = plans.plan(pod, container, address.ip(), steering.megabytes());
            try (RunningContainer running = RunningContainer.start(plan, enter);
                    BesideContainers started = BesideContainers.start(plans, pod, address.ip(), enter)) {
                beside = started;
                attend(running, started);
            }
        } catch (MissingReferenceException missing) {
            postpone("CreateContainerConfigError", missing);
        } catch (IOException | RuntimeException failed) {
            postpone("RunContainerError", failed);
        } finally {
            address.use().unlock();
        }
    }

    /** Runs those that come first, one after the other; false where one has failed, which is run again. */
    private boolean runFirst() throws IOException, MissingReferenceException, InterruptedException {
        for (Map.Entry<Container, ContainerHistory> one : first.entrySet()) {
            if (one.getValue().hasSucceeded()) {
                continue;
            }
            ContainerPlan plan = plans.plan(pod, one.getKey(), address.ip(), steering.megabytes());
            try (RunningContainer running = RunningContainer.start(plan, enter)) {
                one.getValue().running();
                report(false);
                while (!running.ends(TICK)) {
                    if (isDeleted()) {
                        running.kill();
                    }
                }
                one.getValue().ended(running.exitCode(), running.message());
            }
            report(false);
            if (!one.getValue().hasSucceeded()) {
                pause(RETRY);
                return false;
            }
        }
        return !isDeleted();
    }

    private void postpone(String why, Exception failed) throws InterruptedException {
        history.waiting(why, String.valueOf(failed.getMessage()));
        report(false);
        pause(RETRY);
    }

    private void attend(RunningContainer running, BesideContainers others) throws IOException, InterruptedException {
        Instant started = Instant.now();
        steering.started(running);
        history.running();
        phase = "Running";
        probe.restart();
        report(probe.isReady());
        while (!running.ends(TICK)) {
            if (!steering.isCutOff()) {
                tend(running, others);
            }
        }
        others.await(TICK, () -> tend(running, others));
        steering.ended(running);
        while (steering.isCutOff()) {
            TimeUnit.MILLISECONDS.sleep(TICK.toMillis());
        }
        history.ended(running.exitCode(), message(running));
        if (isRestarted(running.exitCode())) {
            report(false);
            history.waiting("CrashLoopBackOff", "");
            report(false);
            pause(backoff.next(Duration.between(started, Instant.now())));
        } else {
            phase = running.exitCode() == 0 && others.haveSucceeded() ? "Succeeded" : "Failed";
        }
    }

    private void tend(RunningContainer running, BesideContainers others) {
        Instant now = Instant.now();
        if (now.isAfter(refreshAt)) {
            refreshAt = now.plus(REFRESH);
            refresh();
        }
        if (isDeleted()) {
            running.terminate();
            others.terminate();
        }
        if (now.isAfter(deadline)) {
            reason = "DeadlineExceeded";
            running.kill();
            others.kill();
        } else if (now.isAfter(killAt)) {
            running.kill();
            others.kill();
        }
        report(probe.isReady());
    }

    private void refresh() {
        try {
            plans.refresh(pod);
        } catch (IOException | MissingReferenceException | KubernetesClientException notNow) {
            warn("could not bring Secrets into a Pod, will retry", notNow);
        }
    }

    private boolean isRestarted(int exitCode) {
        boolean wanted = switch (pod.getSpec().getRestartPolicy()) {
            case "Always" -> true;
            case "OnFailure" -> exitCode != 0;
            default -> false;
        };
        return wanted && !isDeleted() && reason.isEmpty();
    }

    private String message(RunningContainer ended) throws IOException {
        String message = ended.message();
        boolean fromLog = "FallbackToLogsOnError".equals(container.getTerminationMessagePolicy());
        return message.isEmpty() && fromLog && ended.exitCode() != 0 ? ended.lastWords() : message;
    }

    /** Only when something has changed. @return whether the API server knows */
    private boolean report(boolean ready) {
        if (steering.isCutOff()) {
            return false;
        }
        PodReport report = new PodReport(
                phase,
                address.ip(),
                plans.addresses().node(),
                first.values().stream().map(one -> one.status(false)).toList(),
                history.status(ready),
                others(ready),
                reason);
        if (report.equals(reported)) {
            return true;
        }
        try {
            statuses.write(pod, report);
            reported = report;
            return true;
        } catch (KubernetesClientException unavailable) {
            warn("could not write a Pod's status, will retry", unavailable);
            return false;
        }
    }

    private List<ContainerStatus> others(boolean ready) {
        return beside == null ? List.of() : beside.statuses(ready);
    }

    private boolean removed() {
        if (steering.isCutOff()) {
            return false;
        }
        try {
            statuses.remove(pod);
            return true;
        } catch (KubernetesClientException unavailable) {
            warn("could not end a Pod's deletion, will retry", unavailable);
            return false;
        }
    }

    private void warn(String message, Exception cause) {
        log.atWarn()
                .setCause(cause)
                .addKeyValue("namespace", pod.getMetadata().getNamespace())
                .addKeyValue("name", pod.getMetadata().getName())
                .log(message);
    }
}
