package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.Fields;
import java.util.List;

/**
 * What the API server's own admission plugins do to a Pod that is created, before webhooks see it.
 *
 * <p>Imitated: the service account's name, and the tolerations of a node that is away for five minutes. What needs the
 * account itself is done by {@link PodAccounts}, what needs other objects by {@code admission.Plugin}s. Any thread.
 */
final class PodAdmission {

    private static final int FIVE_MINUTES = 300;

    private PodAdmission() {}

    /** @param pod decoded; not altered */
    static ObjectNode admit(ObjectNode pod) {
        ObjectNode admitted = pod.deepCopy();
        ObjectNode spec = Fields.in(admitted, "spec");
        Fields.text(spec, "serviceAccountName", "default");
        spec.set("serviceAccount", spec.get("serviceAccountName"));
        tolerate(spec);
        return admitted;
    }

    /** Its node may be away for five minutes; whoever takes that away gets it back. */
    static void tolerate(ObjectNode spec) {
        for (String key : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            if (!tolerates(spec, key)) {
                ArrayNode tolerations = spec.withArrayProperty("tolerations");
                tolerations
                        .addObject()
                        .put("key", key)
                        .put("operator", "Exists")
                        .put("effect", "NoExecute")
                        .put("tolerationSeconds", FIVE_MINUTES);
            }
        }
    }

    private static boolean tolerates(ObjectNode spec, String key) {
        for (JsonNode toleration : spec.path("tolerations")) {
            String tolerated = toleration.path("key").asText();
            String effect = toleration.path("effect").asText();
            if ((tolerated.equals(key) || tolerated.isEmpty()) && (effect.isEmpty() || effect.equals("NoExecute"))) {
                return true;
            }
        }
        return false;
    }
}
