package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Spreads keys over an interval. A key has the same place in each, so that its resyncs are an interval apart; the seed
 * gives each process other places.
 *
 * <p>One context.
 */
final class ResyncPlan {

    private final List<Place> places;
    private int next;

    private record Place(ObjectKey key, double at) {}

    ResyncPlan(Collection<ObjectKey> keys, long seed) {
        this.places = keys.stream()
                .map(key -> new Place(key, place(key, seed)))
                .sorted(Comparator.comparingDouble(Place::at))
                .toList();
    }

    /**
     * The keys whose place has been passed since the last call.
     *
     * @param passed the part of the interval that is over, from 0 to 1
     */
    List<ObjectKey> due(double passed) {
        List<ObjectKey> due = new ArrayList<>();
        for (; next < places.size() && places.get(next).at() <= passed; next++) {
            due.add(places.get(next).key());
        }
        return due;
    }

    /** From 0 up to 1; neighbouring hashes fall far apart (the finalizer of splitmix64). */
    private static double place(ObjectKey key, long seed) {
        long mixed = key.hashCode() * 0x9E3779B97F4A7C15L ^ seed;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        mixed ^= mixed >>> 31;
        return (mixed >>> 11) * 0x1.0p-53;
    }
}
