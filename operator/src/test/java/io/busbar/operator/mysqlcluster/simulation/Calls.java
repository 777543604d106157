package io.busbar.operator.mysqlcluster.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the operator asks of servers and of the API server, one at a time. Calls that change something have names, such
 * as
 * {@code makeReadOnly db-0 #2}, and one of them may be chosen to go wrong. Calls that only ask do not: to end before
 * one is to end after the change before it. Any thread.
 */
final class Calls {

    private final Runnable meanwhile;
    private final Runnable atEnd;
    private final Map<String, Integer> counts = new HashMap<>();
    private final List<String> made = new ArrayList<>();
    private @Nullable String chosen;
    private Fault fault = Fault.CRASH;
    private boolean ended;
    private boolean failed;
    private volatile Gate gate = what -> {};
    private int breakIn;

    /** What becomes of the chosen call. */
    enum Fault {
        /** It is done, and the operator ends. */
        CRASH,
        /** It is done, but the operator does not get to know. */
        ANSWER_LOST,
        NOT_DONE
    }

    /** What is to be done. */
    @FunctionalInterface
    interface Call<R, X extends Exception> {
        R make() throws X;
    }

    /** What a call has to pass first: it may wait there, or be refused. */
    @FunctionalInterface
    interface Gate {

        /**
         * @param change of which it is the name; empty for a call that only asks
         */
        void pass(String change);
    }

    /**
     * @param meanwhile what others do before each call
     * @param atEnd told when the operator ends
     */
    Calls(Runnable meanwhile, Runnable atEnd) {
        this.meanwhile = meanwhile;
        this.atEnd = atEnd;
    }

    synchronized void breakAt(String call, Fault how) {
        chosen = call;
        fault = how;
    }

    /** The change that comes after so many others; 1 is the next one. */
    synchronized void breakAfter(int changes, Fault how) {
        breakIn = changes;
        fault = how;
    }

    void passAt(Gate next) {
        gate = next;
    }

    /** Those that changed something, in order. */
    synchronized List<String> made() {
        return List.copyOf(made);
    }

    synchronized void forget() {
        made.clear();
        counts.clear();
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Whether the chosen call has gone wrong. */
    synchronized boolean hasFailed() {
        return failed;
    }

    /** Another operator begins. */
    synchronized void restart() {
        ended = false;
    }

    /** Something that comes about by itself, and cannot go wrong. */
    synchronized void meanwhile(Runnable change) {
        change.run();
    }

    <R, X extends Exception> R ask(String what, Call<R, X> call) throws X {
        gate.pass("");
        synchronized (this) {
            if (ended) {
                throw new OperatorCrash(what);
            }
            return call.make();
        }
    }

    <R, X extends Exception> R change(String what, Call<R, X> call, Function<String, X> failure) throws X {
        gate.pass(what);
        return changeNow(what, call, failure);
    }

    private synchronized <R, X extends Exception> R changeNow(String what, Call<R, X> call, Function<String, X> failure)
            throws X {
        if (ended) {
            throw new OperatorCrash(what);
        }
        meanwhile.run();
        String name = what + " #" + counts.merge(what, 1, Integer::sum);
        made.add(name);
        boolean isDue = breakIn > 0 && --breakIn == 0;
        if (!isDue && !name.equals(chosen)) {
            return call.make();
        }
        chosen = null;
        failed = true;
        if (fault == Fault.NOT_DONE) {
            throw failure.apply(name + " is not done");
        }
        call.make();
        if (fault == Fault.CRASH) {
            ended = true;
            atEnd.run();
            throw new OperatorCrash(name);
        }
        throw failure.apply("no answer to " + name);
    }
}
