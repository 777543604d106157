package io.busbar.sandbox.faults;

import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.verbs.Target;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The faults that are yet to happen, in the order in which they were injected; a request gets the first that concerns it.
 *
 * <p>Any thread.
 */
public final class FaultPlan {

    /**
     * What happens to a request.
     *
     * @param refusal null when it is carried out after the delay
     */
    public record Mishap(Duration delay, @Nullable StatusException refusal) {}

    private static final class Planned implements InjectedFault {

        private final Fault fault;
        private final List<Planned> plan;
        private final AtomicInteger hits = new AtomicInteger();

        Planned(Fault fault, List<Planned> plan) {
            this.fault = fault;
            this.plan = plan;
        }

        /** @return false when it has happened often enough */
        boolean take() {
            int before = hits.getAndUpdate(count -> Math.min(fault.hits(), count + 1));
            if (before + 1 >= fault.hits()) {
                remove();
            }
            return before < fault.hits();
        }

        @Override
        public int hits() {
            return hits.get();
        }

        @Override
        public void remove() {
            plan.remove(this);
        }
    }

    private final List<Planned> plan = new CopyOnWriteArrayList<>();

    InjectedFault inject(Fault fault) {
        Planned planned = new Planned(fault, plan);
        plan.add(planned);
        return planned;
    }

    void clear() {
        plan.clear();
    }

    /** What is to happen to a request; it happens by that. */
    public Optional<Mishap> next(String verb, Target target) {
        if (plan.isEmpty()) {
            return Optional.empty();
        }
        String resource = name(target);
        for (Planned planned : plan) {
            if (planned.fault.concerns(verb, resource, target.name()) && planned.take()) {
                return Optional.of(mishap(planned.fault, target));
            }
        }
        return Optional.empty();
    }

    private static String name(Target target) {
        String resource = target.resource().named().toString();
        return target.subresource().isEmpty() ? resource : resource + "/" + target.subresource();
    }

    private static Mishap mishap(Fault fault, Target target) {
        GroupResource resource = target.resource().named();
        return new Mishap(
                fault.delay(),
                fault.code()
                        .map(code -> Refusals.of(code, resource, target.name(), fault.retryAfter()))
                        .orElse(null));
    }
}
