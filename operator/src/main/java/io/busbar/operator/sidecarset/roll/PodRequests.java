package io.busbar.operator.sidecarset.roll;

import io.busbar.common.api.ApiFailure;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the same request for many Pods, some at once: a roll waits for the API server most of the time.
 *
 * <p>For the thread of one reconcile, which waits until all have ended. A Pod that the API server refuses to change
 * does not hold up the others; once the API server is away, no further request begins.
 */
final class PodRequests {

    private static final int AT_ONCE = 8;

    private final Function<InjectedPod, Optional<Pod>> request;
    private final AtomicBoolean away = new AtomicBoolean();

    private PodRequests(Function<InjectedPod, Optional<Pod>> request) {
        this.request = request;
    }

    /**
     * How one ended.
     *
     * @param written empty where nothing was
     */
    record Result(
            InjectedPod pod,
            Optional<Pod> written,
            @Nullable KubernetesClientException failure) {

        boolean refused() {
            return failure != null && ApiFailure.of(failure) instanceof ApiFailure.Rejected;
        }
    }

    /**
     * @param request is called on other threads
     * @return in the order of the Pods
     * @throws InterruptedException when the reconcile's time is up; requests that were under way may have been served
     */
    static List<Result> all(List<InjectedPod> pods, Function<InjectedPod, Optional<Pod>> request)
            throws InterruptedException {
        if (pods.isEmpty()) {
            return List.of();
        }
        PodRequests requests = new PodRequests(request);
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(AT_ONCE, pods.size()));
        try {
            List<Callable<Result>> tasks = new ArrayList<>();
            pods.forEach(pod -> tasks.add(() -> requests.make(pod)));
            List<Result> results = new ArrayList<>();
            for (Future<Result> ended : threads.invokeAll(tasks)) {
                results.add(ended.get());
            }
            return results;
        } catch (ExecutionException bug) {
            throw new IllegalStateException("a request for a Pod failed for a reason of its own", bug.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private Result make(InjectedPod pod) {
        if (away.get()) {
            return new Result(pod, Optional.empty(), null);
        }
        try {
            return new Result(pod, request.apply(pod), null);
        } catch (KubernetesClientException failure) {
            Result failed = new Result(pod, Optional.empty(), failure);
            if (!failed.refused()) {
                away.set(true);
            }
            return failed;
        }
    }
}
