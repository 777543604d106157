package io.busbar.sandbox.garbage;

import io.busbar.common.ObjectKey;
import io.busbar.sandbox.garbage.OwnerGraph.Reference;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The last owners that were seen to go, for dependents that are judged when the owner's kind is no longer served.
 *
 * <p>One context.
 */
final class DepartedOwners {

    private static final int KEPT = 500;

    private record Departed(String uid, ObjectKey key, String kind) {}

    private final Set<Departed> known = new LinkedHashSet<>();

    void add(String uid, ObjectKey key, String kind) {
        known.add(new Departed(uid, key, kind));
        if (known.size() > KEPT) {
            known.remove(known.iterator().next());
        }
    }

    /** Whether a reference from a namespace means one of them. */
    boolean contains(Reference reference, String namespace) {
        return known.contains(
                        new Departed(reference.uid(), ObjectKey.of(namespace, reference.name()), reference.kind()))
                || known.contains(new Departed(reference.uid(), ObjectKey.of(reference.name()), reference.kind()));
    }
}
