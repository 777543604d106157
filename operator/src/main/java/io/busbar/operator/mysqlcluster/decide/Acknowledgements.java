package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;

/**
 * Has the primary wait for as many replicas as the spec asks for, and the status tell how many there are of each write
 * that was acknowledged: an {@link Election} does without as many members, less one. Pure; any thread.
 *
 * <p>The status never tells of more than there are. A lower number is told before the server is told of it. A higher
 * one only when the server was seen to wait for so many, together with the position that it had then: what was
 * acknowledged before by fewer is part of that, and nobody is elected who does not have it.
 */
final class Acknowledgements implements Step {

    @Override
    public Next decide(Observation seen, Draft draft) {
        Member primary = seen.servingPrimary().orElse(null);
        if (primary == null) {
            return Next.GO_ON;
        }
        int required = seen.spec().replication().acknowledgementsRequired();
        int actual = primary.state().orElseThrow().acknowledgements();
        if (actual == required) {
            draft.progress(progress -> progress.withAcknowledgements(required));
        } else if (required > 0
                && (actual > 0 || seen.progress().acknowledgements() > 0)
                && !seen.memory().hasTried(Action.RequireAcknowledgements.class, primary)) {
            // One that has never waited has no settings for it yet: it is restarted, or replaced, with them.
            expectNoMoreThanRequired(seen, draft);
            draft.act(new Action.RequireAcknowledgements(primary, required));
        } else {
            expectNoMoreThanRequired(seen, draft);
        }
        return Next.GO_ON;
    }

    /** Before a server is told of a number: writes are acknowledged by so many from then on. */
    static void expectNoMoreThanRequired(Observation seen, Draft draft) {
        int required = seen.spec().replication().acknowledgementsRequired();
        if (required < draft.progress().acknowledgements()) {
            draft.save(progress -> progress.withAcknowledgements(required));
        }
    }
}
