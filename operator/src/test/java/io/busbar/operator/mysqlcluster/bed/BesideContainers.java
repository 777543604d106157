package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The containers of a Pod that run the operator's own program, or the exporter, beside the first one. One thread.
 *
 * <p>The exporter is ended with the server, and so is started again with it, which a kubelet does not do.
 */
final class BesideContainers implements AutoCloseable {

    private record Beside(RunningContainer container, ContainerHistory history, boolean isExporter) {}

    private final List<Beside> running = new ArrayList<>();

    private BesideContainers() {}

    static BesideContainers start(ContainerPlans plans, Pod pod, String address, Path enter)
            throws IOException, MissingReferenceException {
        BesideContainers all = new BesideContainers();
        for (Container container : pod.getSpec().getContainers()) {
            boolean isExporter = ContainerPlans.isExporter(container);
            if ((isExporter || ContainerPlans.isOperator(container)) && !container.equals(ServerImage.container(pod))) {
                ContainerHistory history = new ContainerHistory(container);
                all.running.add(new Beside(
                        RunningContainer.start(plans.plan(pod, container, address, 0), enter), history, isExporter));
                history.running();
            }
        }
        return all;
    }

    /** Waits until all have ended, and does something again and again meanwhile. */
    void await(Duration tick, Runnable meanwhile) throws IOException, InterruptedException {
        for (Beside one : running) {
            if (one.isExporter()) {
                one.container().kill();
            }
            while (!one.container().ends(tick)) {
                meanwhile.run();
            }
            one.history().ended(one.container().exitCode(), one.container().message());
        }
    }

    void terminate() {
        each(RunningContainer::terminate);
    }

    void kill() {
        each(RunningContainer::kill);
    }

    /** Once they have ended. */
    boolean haveSucceeded() {
        return running.stream()
                .filter(one -> !one.isExporter())
                .allMatch(one -> one.container().exitCode() == 0);
    }

    List<ContainerStatus> statuses(boolean ready) {
        return running.stream().map(one -> one.history().status(ready)).toList();
    }

    private void each(Consumer<RunningContainer> action) {
        running.forEach(one -> action.accept(one.container()));
    }

    @Override
    public void close() {
        each(RunningContainer::close);
    }
}
