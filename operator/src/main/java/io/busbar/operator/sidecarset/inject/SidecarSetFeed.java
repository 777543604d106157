package io.busbar.operator.sidecarset.inject;

import io.busbar.common.ObjectKey;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.history.RevisionLookup;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the sets compiled, as the watch learns of them.
 *
 * <p>Any thread. First subscribe {@link #changed} to the changes of SidecarSets, then, once their lister is synced,
 * call {@link #rebuild}: from then on no set is missing. Each update reads the lister anew when it was overtaken, so
 * that of two at once none brings an older state back.
 */
public final class SidecarSetFeed {

    private static final Logger log = LoggerFactory.getLogger(SidecarSetFeed.class);

    private final Lister<SidecarSet> sets;
    private final RevisionLookup revisions;
    private final AtomicReference<SidecarSetSnapshot> snapshot = new AtomicReference<>(SidecarSetSnapshot.EMPTY);
    private volatile boolean ready;

    public SidecarSetFeed(Lister<SidecarSet> sets, RevisionLookup revisions) {
        this.sets = sets;
        this.revisions = revisions;
    }

    /**
     * Takes over one set as the lister has it: no other is compiled again. What another watch of SidecarSets has seen
     * is none of its business.
     */
    public void changed(ResourceChanged change) {
        if (!change.watch().equals(sets.watch())) {
            return;
        }
        ObjectKey key = change.key();
        snapshot.updateAndGet(before -> before.with(key.name(), compiled(key)));
    }

    /** Takes over all sets of the lister. */
    public void rebuild() {
        snapshot.updateAndGet(before -> SidecarSetSnapshot.of(sets.list().stream()
                .flatMap(set -> compiled(ObjectKey.of(set)).stream())
                .toList()));
        ready = true;
        log.atInfo().addKeyValue("sets", size()).log("SidecarSets are ready for injection");
    }

    /** Whether all sets are known: before, a Pod might miss one. */
    public boolean ready() {
        return ready;
    }

    /** How many sets can match a Pod. */
    public int size() {
        return snapshot().size();
    }

    SidecarSetSnapshot snapshot() {
        return Objects.requireNonNull(snapshot.get());
    }

    /**
     * A set that cannot be compiled is as good as absent: it slipped past validation, and must not block the others.
     */
    private Optional<CompiledSidecarSet> compiled(ObjectKey key) {
        try {
            return sets.get(key).flatMap(set -> CompiledSidecarSet.compile(set, revisions));
        } catch (IllegalArgumentException invalid) {
            log.atWarn()
                    .addKeyValue("name", key.name())
                    .setCause(invalid)
                    .log("a SidecarSet is not valid and injects nothing");
            return Optional.empty();
        }
    }
}
