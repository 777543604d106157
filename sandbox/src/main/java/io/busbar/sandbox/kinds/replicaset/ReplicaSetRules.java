package io.busbar.sandbox.kinds.replicaset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.pod.PodDefaults;
import io.busbar.sandbox.kinds.pod.PodWarnings;
import io.busbar.sandbox.kinds.template.TemplateChecks;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of ReplicaSets, and of the ReplicationControllers before them. Any thread. */
public final class ReplicaSetRules extends BuiltInRules {

    public static final RulesFile RULES = RulesFile.beside(
            ReplicaSetRules.class,
            Map.of(
                    "template",
                    spec -> TemplateChecks.check(spec, "deployment", "ReplicaSet"),
                    "controllerTemplate",
                    ReplicaSetRules::controllerTemplate,
                    "counts",
                    status -> TemplateChecks.counts(
                            status,
                            List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
                            "readyReplicas")));

    public ReplicaSetRules(Facts facts) {
        super(facts);
    }

    @Override
    public List<String> warnings(ObjectNode object, @Nullable ObjectNode before) {
        return PodWarnings.ofTemplate(object, before);
    }

    @Override
    protected void fillDefaults(ObjectNode set) {
        ObjectNode spec = Fields.in(set, "spec");
        Fields.number(spec, "replicas", 1);
        PodDefaults.template(Fields.in(spec, "template"));
        if (type().kind().equals("ReplicationController")) {
            ObjectNode labels = Fields.in(Fields.in(Fields.in(spec, "template"), "metadata"), "labels");
            if (!labels.isEmpty() && spec.path("selector").isEmpty()) {
                spec.set("selector", labels.deepCopy());
            }
        }
    }

    @Override
    protected ObjectNode initialStatus(ObjectNode set) {
        return super.initialStatus(set).put("replicas", 0);
    }

    /** Its selector is a map of labels. */
    private static void controllerTemplate(Place spec) {
        Place labels = spec.at("template.metadata.labels");
        if (spec.field("selector").value().isEmpty()) {
            spec.field("selector").required();
        }
        spec.get("selector").properties().forEach(label -> {
            if (!label.getValue().equals(labels.get(label.getKey()))) {
                labels.invalid("`selector` does not match template `labels`");
            }
        });
    }
}
