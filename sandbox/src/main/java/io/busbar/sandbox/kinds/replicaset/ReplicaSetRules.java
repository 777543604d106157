package io.busbar.sandbox.kinds.replicaset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.kinds.template.TemplateChecks;
import io.busbar.sandbox.kinds.template.WorkloadRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import java.util.List;
import java.util.Map;

/** The rules of ReplicaSets, and of the ReplicationControllers before them. Any thread. */
public final class ReplicaSetRules extends WorkloadRules {

    public static final RulesFile RULES = RulesFile.beside(
            ReplicaSetRules.class,
            Map.of(
                    "template",
                    spec -> TemplateChecks.check(spec, "deployment", "ReplicaSet"),
                    "controllerTemplate",
                    ReplicaSetRules::controllerTemplate));

    public ReplicaSetRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void fillDefaults(ObjectNode set) {
        if (type().kind().equals("ReplicationController")) {
            ObjectNode spec = Fields.in(set, "spec");
            JsonNode labels = spec.at("/template/metadata/labels");
            if (!labels.isEmpty() && spec.path("selector").isEmpty()) {
                spec.set("selector", labels.deepCopy());
            }
        }
    }

    /** Its selector is a map of labels. */
    private static void controllerTemplate(Place spec) {
        Place labels = spec.at("template.metadata.labels");
        Place policy = spec.at("template.spec.restartPolicy");
        if (!policy.isBlank() && !policy.value().asText().equals("Always")) {
            policy.unsupported(List.of("Always"));
        }
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
