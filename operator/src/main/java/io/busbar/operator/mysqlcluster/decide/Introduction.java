package io.busbar.operator.mysqlcluster.decide;

import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import java.util.List;

/** Introduces the operator to servers that do not know it, as new ones do not. Pure; any thread. */
final class Introduction implements Step {

    @Override
    public Next decide(Observation seen, Draft draft) {
        List<Action> strangers = seen.members().all().stream()
                .filter(Member::isDenied)
                .filter(member -> !seen.memory().hasTried(Action.Introduce.class, member))
                .<Action>map(Action.Introduce::new)
                .toList();
        if (!strangers.isEmpty()) {
            draft.act(new Action.AtOnce(strangers));
        }
        return Next.GO_ON;
    }
}
