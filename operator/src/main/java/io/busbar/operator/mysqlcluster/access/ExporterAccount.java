package io.busbar.operator.mysqlcluster.access;

import io.busbar.operator.mysqlcluster.decide.Action;
import io.busbar.operator.mysqlcluster.decide.ClusterReasons;
import io.busbar.operator.mysqlcluster.decide.Draft;
import io.busbar.operator.mysqlcluster.decide.Step;
import io.busbar.operator.mysqlcluster.observe.Member;
import io.busbar.operator.mysqlcluster.observe.Observation;
import io.busbar.operator.mysqlcluster.observe.Remembered.ExporterKnown;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Has each member let the exporter in where {@code spec.metrics.exporter} asks for one, and not know it where it does
 * not. Servers are asked about it once by each operator, and again when that, the Secret, or a Pod has changed. What
 * fails is told, and holds nothing up. Pure; any thread.
 */
public final class ExporterAccount implements Step {

    @Override
    public Next decide(Observation seen, Draft draft) {
        ExporterKnown known = seen.memory()
                .remembered()
                .exporter()
                .filter(one -> one.account().equals(seen.exporter()))
                .orElse(new ExporterKnown(seen.exporter(), Set.of()));
        List<Member> strangers = seen.members().complete().stream()
                .filter(member -> !known.pods().contains(member.uid()))
                .toList();
        List<Action> asking = strangers.stream()
                .filter(member -> !seen.memory().hasTried(Action.SetExporter.class, member))
                .<Action>map(Action.SetExporter::new)
                .toList();
        if (!asking.isEmpty()) {
            draft.act(new Action.AtOnce(asking));
            return Next.GO_ON;
        }
        strangers.forEach(member -> seen.memory()
                .failure(Action.SetExporter.class, member)
                .ifPresent(why -> draft.trouble(
                        ClusterReasons.EXPORTER_ACCOUNT_FAILED,
                        "ExporterAccountFailed",
                        "CreateAccount",
                        "the account of the exporter is not as it should be on " + member.name() + ": " + why)));
        Set<String> now = new HashSet<>(known.pods());
        strangers.stream()
                .filter(member -> seen.memory().hasDone(Action.SetExporter.class, member))
                .forEach(member -> now.add(member.uid()));
        if (!now.equals(known.pods())) {
            draft.act(new Action.Remember(
                    seen.memory().remembered().withExporter(new ExporterKnown(seen.exporter(), now))));
        }
        return Next.GO_ON;
    }
}
