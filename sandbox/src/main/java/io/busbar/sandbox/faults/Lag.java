package io.busbar.sandbox.faults;

import java.time.Duration;
import java.util.Optional;

/**
 * How far clients' view of a kind is behind, as with a replica of the API server that etcd's news reach late:
 * {@code Lag.ofWatches("pods").by(Duration.ofHours(1))}.
 *
 * <p>What was there when it began is seen at once; what changes from then on, when its time has passed. Nothing is left
 * out and nothing comes in another order, but watches that fall behind by more changes than are kept
 * ({@code SandboxOptions.history()}) end with 410. Immutable.
 *
 * @param resource as in a CRD's name, the core group's without a dot: {@code pods}, {@code deployments.apps}
 * @param time by the cluster's clock; empty for as long as it takes until it is released
 */
public record Lag(String resource, Of of, Optional<Duration> time) {

    /** What is behind. */
    public enum Of {
        /** Watches, those that run and those that are begun: their events, and bookmarks. */
        WATCHES,
        /**
         * What Kubernetes lets come from the server's cache: gets, lists, and the first state of watches that name a
         * resourceVersion, never older than that one; {@code 0} takes any. Reads without one, exact ones and further
         * pages are as always.
         */
        CACHED_READS,
        /** Reads without a resourceVersion, too, which promise the latest state: as a server does that is broken. */
        ALL_READS
    }

    /** What is not allowed is an {@link IllegalArgumentException}. */
    public Lag {
        if (resource.isEmpty() || resource.contains("*") || resource.contains("/")) {
            throw new IllegalArgumentException("resource: '" + resource + "', allowed: one kind, such as pods");
        }
        time.filter(Duration::isNegative).ifPresent(value -> {
            throw new IllegalArgumentException("a negative duration: " + value);
        });
    }

    /** Of a kind's watches, until it is released. */
    public static Lag ofWatches(String resource) {
        return new Lag(resource, Of.WATCHES, Optional.empty());
    }

    /** Of a kind's reads, where a client must reckon with it, until it is released. */
    public static Lag ofCachedReads(String resource) {
        return new Lag(resource, Of.CACHED_READS, Optional.empty());
    }

    /** Of all of a kind's reads, which no server that keeps its promises does, until it is released. */
    public static Lag ofAllReads(String resource) {
        return new Lag(resource, Of.ALL_READS, Optional.empty());
    }

    /** By an amount of the cluster's time. */
    public Lag by(Duration value) {
        return new Lag(resource, of, Optional.of(value));
    }
}
