package io.busbar.sandbox.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps Events few. What is said again is counted; from the tenth message on that differs in its words alone within ten
 * minutes, all are one; and about one object at most 25 are told at once, then one in five minutes.
 *
 * <p>One context. The rules and their numbers are those of client-go's {@code events_cache.go}.
 */
final class EventCorrelator {

    private static final int KNOWN = 4096;
    private static final int MOST_ALIKE = 10;
    private static final Duration ALIKE_WITHIN = Duration.ofMinutes(10);
    private static final int BURST = 25;
    private static final Duration REFILL = Duration.ofMinutes(5);

    private final Map<String, Correlated> told = latest();
    private final Map<String, Alike> alike = latest();
    private final Map<String, Allowance> allowances = latest();

    /** Empty when it is not to be told. */
    Optional<Correlated> correlate(String uid, String type, String reason, String message, Instant now) {
        String topic = String.join("/", uid, type, reason);
        Alike group = alike.computeIfAbsent(topic, absent -> new Alike(now));
        boolean many = group.isMany(message, now);
        Correlated event = told.computeIfAbsent(many ? topic : topic + "/" + message, absent -> new Correlated());
        event.again(many ? "(combined from similar events): " + message : message);
        return allowances.computeIfAbsent(uid, absent -> new Allowance(now)).take(now)
                ? Optional.of(event)
                : Optional.empty();
    }

    private static <V> Map<String, V> latest() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > KNOWN;
            }
        };
    }

    /** What is told, how often, and as which Event. */
    static final class Correlated {
        private String name = "";
        private String message = "";
        private int count;

        private void again(String text) {
            message = text;
            count++;
        }

        /** Whether no Event of it was written yet. */
        boolean isFirst() {
            return name.isEmpty();
        }

        String named(String given) {
            name = given;
            return name;
        }

        String name() {
            return name;
        }

        String message() {
            return message;
        }

        int count() {
            return count;
        }
    }

    private static final class Alike {
        private final Set<String> messages = new HashSet<>();
        private Instant latest;

        Alike(Instant now) {
            this.latest = now;
        }

        boolean isMany(String message, Instant now) {
            if (Duration.between(latest, now).compareTo(ALIKE_WITHIN) > 0) {
                messages.clear();
            }
            latest = now;
            if (messages.size() < MOST_ALIKE) {
                messages.add(message);
            }
            return messages.size() >= MOST_ALIKE;
        }
    }

    private static final class Allowance {
        private double left = BURST;
        private Instant since;

        Allowance(Instant now) {
            this.since = now;
        }

        boolean take(Instant now) {
            left = Math.min(BURST, left + Duration.between(since, now).toMillis() / (double) REFILL.toMillis());
            since = now;
            if (left < 1) {
                return false;
            }
            left--;
            return true;
        }
    }
}
