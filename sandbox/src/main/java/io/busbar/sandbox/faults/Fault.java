package io.busbar.sandbox.faults;

import java.time.Duration;
import java.util.Optional;

/**
 * What is to happen to some requests, such as {@code Fault.on("create", "pods").refused(503).times(2)}.
 *
 * <p>Requests of clients only: the simulated parts of the cluster are not concerned. Immutable; each method returns a changed copy.
 *
 * @param verb as in an RBAC rule: {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code patch},
 *     {@code delete}, {@code deletecollection}; {@code *} for all
 * @param resource as in a CRD's name, the core group's without a dot, a subresource after a slash: {@code pods}, {@code pods/status},
 *     {@code deployments.apps}; {@code *} for all
 * @param name of the object; empty for any
 * @param hits how many requests it happens to
 * @param delay for which a request waits first, in real time
 * @param code of the Status that it is answered with; empty when it is carried out in the end
 * @param retryAfter when the client may come again; zero for no word about it
 */
public record Fault(
        String verb,
        String resource,
        String name,
        int hits,
        Duration delay,
        Optional<Integer> code,
        Duration retryAfter) {

    /** What is not allowed is an {@link IllegalArgumentException}. */
    public Fault {
        if (hits < 1) {
            throw new IllegalArgumentException("times: " + hits + ", allowed: 1 or more");
        }
        if (delay.isNegative() || retryAfter.isNegative()) {
            throw new IllegalArgumentException("a negative duration: " + delay + ", " + retryAfter);
        }
        code.filter(value -> value < 400 || value > 599).ifPresent(value -> {
            throw new IllegalArgumentException("code: " + value + ", allowed: 400 to 599");
        });
    }

    /** Happens to one request, with no effect until one is named. */
    public static Fault on(String verb, String resource) {
        return new Fault(verb, resource, "", 1, Duration.ZERO, Optional.empty(), Duration.ZERO);
    }

    /** The next write of an object comes second: 409, as if somebody else had changed it since it was read. */
    public static Fault conflict(String verb, String resource) {
        return on(verb, resource).refused(409);
    }

    /** Only requests for the object of this name; one that is created is not named by its request's path. */
    public Fault named(String value) {
        return new Fault(verb, resource, value, hits, delay, code, retryAfter);
    }

    public Fault times(int value) {
        return new Fault(verb, resource, name, value, delay, code, retryAfter);
    }

    /** The request waits; alone, it is carried out then. */
    public Fault delayed(Duration value) {
        return new Fault(verb, resource, name, hits, value, code, retryAfter);
    }

    /** The request is answered with a Status of this code, and not carried out. */
    public Fault refused(int value) {
        return new Fault(verb, resource, name, hits, delay, Optional.of(value), retryAfter);
    }

    /** Tells the client in header and Status, in whole seconds, when to come again. */
    public Fault retryAfter(Duration value) {
        return new Fault(verb, resource, name, hits, delay, code, value);
    }

    boolean concerns(String requestVerb, String requestResource, String requestName) {
        return (verb.equals("*") || verb.equals(requestVerb))
                && (resource.equals("*") || resource.equals(requestResource))
                && (name.isEmpty() || name.equals(requestName));
    }
}
