package io.busbar.operator.mysqlcluster.bed;

import io.busbar.operator.mysqlcluster.objects.DataFiles;
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
 * The containers of a Pod that run beside the first one: the operator's own program, the exporter, and what gives data
 * files, but that of a volume of limited size. One thread.
 *
 * <p>The last two are ended with the server, and so are started again with it, which a kubelet does not do.
 */
final class BesideContainers implements AutoCloseable {

    private record Beside(RunningContainer container, ContainerHistory history, boolean goesWithServer) {}

    private final List<Beside> running = new ArrayList<>();

    private BesideContainers() {}

    static BesideContainers start(ContainerPlans plans, Pod pod, String address, Path enter)
            throws IOException, MissingReferenceException {
        BesideContainers all = new BesideContainers();
        for (Container container : pod.getSpec().getContainers()) {
            boolean goesWithServer = ContainerPlans.isExporter(container) || isGiver(container);
            if ((!goesWithServer && !ContainerPlans.isOperator(container))
                    || container.equals(ServerImage.container(pod))) {
                continue;
            }
            ContainerPlan plan = plans.plan(pod, container, address, 0);
            // A disk that is mounted twice is spoilt.
            if (!isGiver(container) || !plan.hasDisk()) {
                ContainerHistory history = new ContainerHistory(container);
                all.running.add(new Beside(RunningContainer.start(plan, enter), history, goesWithServer));
                history.running();
            }
        }
        return all;
    }

    private static boolean isGiver(Container container) {
        return DataFiles.GIVES.equals(container.getName());
    }

    /** Waits until all have ended, and does something again and again meanwhile. */
    void await(Duration tick, Runnable meanwhile) throws IOException, InterruptedException {
        for (Beside one : running) {
            if (one.goesWithServer()) {
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
                .filter(one -> !one.goesWithServer())
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
