package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** What becomes of a container, as its status tells it. One thread. */
final class ContainerHistory {

    private final Container container;
    private ContainerState state = waitingFor("ContainerCreating", "");
    private ContainerState lastState = new ContainerState();
    private String id = "";
    private String startedAt = "";
    private int restarts;

    ContainerHistory(Container container) {
        this.container = container;
    }

    void waiting(String reason, String message) {
        remember();
        state = waitingFor(reason, message);
    }

    void running() {
        remember();
        if (!id.isEmpty()) {
            restarts++;
        }
        id = "bed://" + UUID.randomUUID();
        startedAt = now();
        state = new ContainerStateBuilder().withNewRunning(startedAt).build();
    }

    void ended(int exitCode, String message) {
        state = new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(exitCode)
                .withReason(exitCode == 0 ? "Completed" : "Error")
                .withMessage(message.isEmpty() ? null : message)
                .withContainerID(id)
                .withStartedAt(startedAt)
                .withFinishedAt(now())
                .endTerminated()
                .build();
    }

    boolean hasSucceeded() {
        return state.getTerminated() != null && state.getTerminated().getExitCode() == 0;
    }

    ContainerStatus status(boolean ready) {
        return new ContainerStatusBuilder()
                .withName(container.getName())
                .withImage(container.getImage())
                .withImageID(id.isEmpty() ? "" : "bed://this-machine")
                .withContainerID(id.isEmpty() ? null : id)
                .withRestartCount(restarts)
                .withReady(ready)
                .withStarted(state.getRunning() != null)
                .withState(state)
                .withLastState(lastState)
                .build();
    }

    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void remember() {
        if (state.getTerminated() != null) {
            lastState = state;
        }
    }

    private static ContainerState waitingFor(String reason, String message) {
        return new ContainerStateBuilder()
                .withNewWaiting(message.isEmpty() ? null : message, reason)
                .build();
    }
}
