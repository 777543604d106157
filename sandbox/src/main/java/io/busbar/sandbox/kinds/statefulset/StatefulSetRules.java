package io.busbar.sandbox.kinds.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.template.TemplateChecks;
import io.busbar.sandbox.kinds.template.WorkloadRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.status.Causes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of StatefulSets. What a template says of a Pod is not looked at before there is one. Any thread. */
public final class StatefulSetRules extends WorkloadRules {

    private static final List<String> OPEN = List.of(
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds");

    public static final RulesFile RULES = RulesFile.beside(
            StatefulSetRules.class,
            Map.of(
                    "template",
                    spec -> TemplateChecks.check(spec, "statefulset", "StatefulSet"),
                    "claim",
                    StatefulSetRules::claim));

    public StatefulSetRules(Facts facts) {
        super(facts);
    }

    /** How many Pods of a rolling update may be away at once is behind a gate that is closed. */
    @Override
    protected void fillDefaults(ObjectNode set) {
        Fields.ifObject(set.at("/spec/updateStrategy/rollingUpdate"), update -> update.remove("maxUnavailable"));
    }

    @Override
    protected void check(Causes causes, ObjectNode set, @Nullable ObjectNode before, String subresource) {
        if (before != null
                && subresource.isEmpty()
                && set.get("spec") instanceof ObjectNode now
                && before.get("spec") instanceof ObjectNode old
                && !now.deepCopy().remove(OPEN).equals(old.deepCopy().remove(OPEN))) {
            causes.forbidden(
                    "spec",
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy',"
                            + " 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are"
                            + " forbidden");
        }
    }

    /** A claim that is a template says what it is. */
    private static void claim(Place template) {
        ObjectNode claim = (ObjectNode) template.value();
        Fields.text(claim, "kind", "PersistentVolumeClaim");
        Fields.text(claim, "apiVersion", "v1");
        Fields.text(Fields.in(claim, "status"), "phase", "Pending");
    }
}
