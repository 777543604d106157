package io.busbar.operator.reference;

import io.busbar.common.condition.ConditionReason;
import io.busbar.operator.reference.DeclaredFields.Declared;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What conditions say, from the constants that the code gives their reasons by. */
final class ConditionsPage {

    private static final String HEAD = """
            # Conditions

            What `status.conditions` of each kind may say. `kubectl wait --for=condition=Available KIND/NAME` waits for one; `reason` is for programs and does not
            change, `message` is for people and may. Each has `observedGeneration`: where that is older than `metadata.generation`, the operator has not looked yet.
            """;

    /** Sections in the order of the page, and where their constants are. */
    private static final Map<String, Predicate<Declared<ConditionReason>>> SECTIONS = new LinkedHashMap<>();

    private static final Map<String, String> NOTES = Map.of(
            "Any kind with a Rollout",
            "What `Rollout.conditions`, `Stages.rollout` and the states of `Dependents` give to the kinds of operators that use them: Memcached, Guestbook,"
                    + " a MySQLCluster with `mode: Simple`, and yours.",
            "Memcached",
            "Those of its Deployment, see above, and:",
            "Guestbook",
            "Those of its Deployments, see above.",
            "MySQLCluster",
            "With `mode: Simple` those of its Deployment, see above, `Paused`, `MissingPassword` and `ObjectNotOwned`; else all of these:",
            "MySQLBackup",
            "`Complete` and `Failed` are both there and give the same reason. The table has the one that the reason decides; the other one is `False`."
                    + " `Verified` is there once somebody has asked for that.",
            "MySQLRestore",
            "`Complete` and `Failed` are both there and give the same reason. The table has the one that the reason decides; the other one is `False`.",
            "Pods with sidecars",
            "Set by the SidecarSet operator in the status of Pods.");

    /**
     * Of Memcached, which is made to be copied, and so shows what a beginner needs; {@link ReferenceTest} looks for
     * them in its classes.
     */
    static final List<ConditionReason> MEMCACHED = List.of(
            ConditionReason.ofUnknown("Available", "Reconciling", "it is looked at for the first time"),
            ConditionReason.ofTrue("Degraded", "Finalizing", "it is deleted, and what precedes that is done"),
            ConditionReason.ofUnknown("Degraded", "Finalizing", "it is deleted, and what precedes that has begun"));

    static {
        SECTIONS.put("Any kind with a Rollout", in("RolloutReasons"));
        SECTIONS.put(
                "SidecarSet",
                one -> one.in().getPackageName().contains(".sidecarset.")
                        && !one.in().getSimpleName().equals("UpgradableCondition"));
        SECTIONS.put("Pods with sidecars", in("UpgradableCondition"));
        SECTIONS.put("PodSet", one -> one.in().getPackageName().endsWith(".podset"));
        SECTIONS.put("Memcached", one -> false);
        SECTIONS.put("Guestbook", one -> false);
        SECTIONS.put("PodBuggerTool", one -> one.in().getPackageName().endsWith(".podbugger"));
        SECTIONS.put("MySQLCluster", in("ClusterReasons"));
        SECTIONS.put("MySQLBackup", in("BackupReasons"));
        SECTIONS.put("MySQLRestore", in("RestoreReasons"));
        SECTIONS.put("MySQLDatabase, MySQLUser, MySQLGrant", in("ContentReasons"));
        SECTIONS.put("Blueprint", in("BlueprintReconciler"));
        SECTIONS.put("BlueprintRun", in("RunProgress"));
        SECTIONS.put("Instances of Blueprints", in("InstanceStatus"));
    }

    private final List<Declared<ConditionReason>> declared = DeclaredFields.of(ConditionReason.class);

    private static Predicate<Declared<ConditionReason>> in(String type) {
        return one -> one.in().getSimpleName().equals(type);
    }

    List<Declared<ConditionReason>> declared() {
        return declared;
    }

    /** Those that no section takes. */
    List<Declared<ConditionReason>> homeless() {
        return declared.stream()
                .filter(one -> SECTIONS.values().stream().noneMatch(section -> section.test(one)))
                .toList();
    }

    Page page() {
        StringBuilder text = new StringBuilder(HEAD);
        SECTIONS.forEach((name, section) -> {
            text.append("\n## ").append(name).append("\n");
            if (NOTES.containsKey(name)) {
                text.append("\n").append(NOTES.get(name)).append("\n");
            }
            List<ConditionReason> reasons = name.equals("Memcached")
                    ? MEMCACHED
                    : declared.stream().filter(section).map(Declared::value).toList();
            if (!reasons.isEmpty()) {
                text.append("\n| condition | status | reason | when |\n|---|---|---|---|\n");
                reasons.stream()
                        .sorted(Comparator.comparing(ConditionReason::type)
                                .thenComparing(ConditionReason::status)
                                .thenComparing(ConditionReason::reason))
                        .forEach(reason -> text.append(row(reason)));
            }
        });
        return new Page("conditions.md", text.toString());
    }

    private static String row(ConditionReason reason) {
        return "| `" + reason.type() + "` | " + reason.status().text() + " | `" + reason.reason() + "` | "
                + Page.cell(reason.meaning()) + " |\n";
    }
}
