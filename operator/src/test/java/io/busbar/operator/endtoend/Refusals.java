package io.busbar.operator.endtoend;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;

/**
 * Asks the same questions of an API server again and again, and tells for how long each was not answered as it should
 * be: by a clock that is given, so that a slow machine is no failure.
 */
final class Refusals {

    private static final long PAUSE_MILLIS = 50;

    private final IntSupplier clock;
    private final Map<String, Callable<Boolean>> questions = new LinkedHashMap<>();
    private final Map<String, Stretch> present = new TreeMap<>();
    private final Map<String, Stretch> longest = new TreeMap<>();
    private final Thread thread = new Thread(this::ask, "questions");
    private int answers;
    private int refusals;
    private volatile boolean stopped;

    /** From the first refusal to the last before an answer. */
    private record Stretch(int from, int to, int count, String problem) {

        private int length() {
            return to - from;
        }

        private Stretch and(int now) {
            return new Stretch(from, now, count + 1, problem);
        }

        @Override
        public String toString() {
            return count + " in a row, over " + length() + " ticks: " + problem;
        }
    }

    Refusals(IntSupplier clock) {
        this.clock = clock;
    }

    /** Before the start: a question, whose answer is whether it was answered well. */
    void add(String name, Callable<Boolean> question) {
        questions.put(name, question);
    }

    void start() {
        thread.start();
    }

    /** Since the start, or the last time that this was called. */
    synchronized String told() {
        String told = answers + " answers, " + refusals + " refusals"
                + (longest.isEmpty() ? "" : ", the longest stretches: " + longest);
        answers = 0;
        refusals = 0;
        return told;
    }

    /** By question, that of the longest; since the start. */
    synchronized Map<String, Integer> longest() {
        Map<String, Integer> lengths = new TreeMap<>();
        longest.forEach((question, stretch) -> lengths.put(question, stretch.length()));
        return lengths;
    }

    private void ask() {
        while (!stopped) {
            for (Map.Entry<String, Callable<Boolean>> question : questions.entrySet()) {
                int asked = clock.getAsInt();
                note(question.getKey(), problem(question.getValue()), asked);
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException ended) {
                return;
            }
        }
    }

    private static Optional<String> problem(Callable<Boolean> question) {
        try {
            return Boolean.TRUE.equals(question.call()) ? Optional.empty() : Optional.of("no webhook has answered it");
        } catch (KubernetesClientException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        } catch (Exception other) {
            return Optional.of(other.toString());
        }
    }

    private synchronized void note(String question, Optional<String> problem, int asked) {
        if (problem.isEmpty()) {
            answers++;
            present.remove(question);
            return;
        }
        refusals++;
        int now = clock.getAsInt();
        Stretch before = present.get(question);
        Stretch stretch = before == null ? new Stretch(asked, now, 1, problem.get()) : before.and(now);
        present.put(question, stretch);
        if (!longest.containsKey(question) || longest.get(question).length() <= stretch.length()) {
            longest.put(question, stretch);
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        thread.interrupt();
        thread.join();
    }
}
