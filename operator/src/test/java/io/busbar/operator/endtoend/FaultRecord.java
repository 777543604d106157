package io.busbar.operator.endtoend;

import java.util.ArrayList;
import java.util.List;

/** What was done to a cluster and when, for its figures, and in a journal as it happens. Any thread. */
final class FaultRecord {

    private final Journal journal;
    private final List<Fault> faults = new ArrayList<>();
    private boolean alone;
    private final List<Switchover> switchovers = new ArrayList<>();

    /**
     * Something that was done.
     *
     * @param alone whether the cluster was whole, and nothing else lasted
     * @param at by {@link System#nanoTime}, right before
     */
    record Fault(String kind, boolean alone, long at) {}

    /** One that was asked for and has come about; by {@link System#nanoTime}. */
    record Switchover(long asked, long seen) {}

    FaultRecord(Journal journal) {
        this.journal = journal;
    }

    /** @param finds whether the cluster is whole where the next one begins, and nothing else lasts */
    synchronized void next(boolean finds) {
        alone = finds;
    }

    synchronized void began(String kind, String object) {
        faults.add(new Fault(kind, alone, System.nanoTime()));
        journal.note(kind + " " + object + (alone ? "" : ", amid others"));
    }

    synchronized void switchedOver(long asked) {
        switchovers.add(new Switchover(asked, System.nanoTime()));
    }

    void note(String line) {
        journal.note(line);
    }

    synchronized List<Fault> faults() {
        return List.copyOf(faults);
    }

    synchronized List<Switchover> switchovers() {
        return List.copyOf(switchovers);
    }
}
