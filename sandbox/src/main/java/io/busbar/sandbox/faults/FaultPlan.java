package io.busbar.sandbox.faults;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The faults that are yet to happen, in the order in which they were injected; a request gets the first that concerns
 * it.
 *
 * <p>Any thread.
 */
public final class FaultPlan {

    private static final String INJECTED = "a fault was injected";
    private static final Caller SOMEBODY = new Caller("somebody", "", List.of());

    /**
     * What happens to a request.
     *
     * @param delay before anything is done
     * @param refusal null when it is carried out after the delay
     */
    public record Mishap(Duration delay, @Nullable StatusException refusal, Answer answer) {

        /** All goes well. */
        public static final Mishap NONE = new Mishap(Duration.ZERO, null, Answer.AT_ONCE);
    }

    private static final class Planned implements InjectedFault {

        private final Fault fault;
        private final List<Planned> plan;
        private final AtomicInteger hits = new AtomicInteger();

        Planned(Fault fault, List<Planned> plan) {
            this.fault = fault;
            this.plan = plan;
        }

        /** @return false when chance spares the request, or when it has happened often enough */
        boolean take() {
            if (fault.chance() < 1 && ThreadLocalRandom.current().nextDouble() >= fault.chance()) {
                return false;
            }
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

    /** Plans a fault, after those that were injected before. */
    public InjectedFault inject(Fault fault) {
        Planned planned = new Planned(fault, plan);
        plan.add(planned);
        return planned;
    }

    /** Forgets all. */
    public void clear() {
        plan.clear();
    }

    /**
     * What is to happen to a request; it happens by that.
     *
     * @param http2 whether the request came over HTTP/2
     */
    public Mishap next(String verb, Target target, boolean http2) {
        if (plan.isEmpty()) {
            return Mishap.NONE;
        }
        String resource = name(target);
        for (Planned planned : plan) {
            if (planned.fault.concerns(verb, resource, target.name(), http2) && planned.take()) {
                return mishap(planned.fault, verb, target);
            }
        }
        return Mishap.NONE;
    }

    /** What is to happen to a call of a webhook; it happens by that. Empty when all goes well. */
    public Optional<Fault> nextCall(String webhook) {
        for (Planned planned : plan) {
            if (planned.fault.concernsCall(webhook) && planned.take()) {
                return Optional.of(planned.fault);
            }
        }
        return Optional.empty();
    }

    private static String name(Target target) {
        String resource = target.resource().named().toString();
        return target.subresource().isEmpty() ? resource : resource + "/" + target.subresource();
    }

    private static Mishap mishap(Fault fault, String verb, Target target) {
        return new Mishap(
                fault.delay(),
                fault.code()
                        .map(code -> refusal(code, verb, target, fault.retryAfter()))
                        .orElse(null),
                fault.answer());
    }

    /** What a server in trouble says (apimachinery, {@code api/errors}), or one whose caller lacks a right. */
    private static StatusException refusal(int code, String verb, Target target, Duration retryAfter) {
        GroupResource resource = target.resource().named();
        String name = target.name();
        return switch (code) {
            case 400 -> StatusException.badRequest(INJECTED);
            case 401 -> status(code, "Unauthorized", "Unauthorized", retryAfter);
            case 403 -> AccessRequest.of(verb, target).denied(SOMEBODY, INJECTED);
            case 404 -> StatusException.notFound(resource, name);
            case 409 -> StatusException.modified(resource, name);
            case 410 -> StatusException.expired("The resourceVersion for the provided list is too old.");
            case 429 -> status(code, "TooManyRequests", "Too many requests, please try again later.", retryAfter);
            case 500 -> StatusException.internal(INJECTED);
            case 503 ->
                status(code, "ServiceUnavailable", "the server is currently unable to handle the request", retryAfter);
            case 504 -> status(code, "Timeout", "Timeout: " + INJECTED, retryAfter);
            default -> status(code, "", INJECTED, retryAfter);
        };
    }

    private static StatusException status(int code, String reason, String message, Duration retryAfter) {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        if (!retryAfter.isZero()) {
            details.put("retryAfterSeconds", Math.max(1, retryAfter.toSeconds()));
        }
        return new StatusException(code, reason, message, details);
    }
}
