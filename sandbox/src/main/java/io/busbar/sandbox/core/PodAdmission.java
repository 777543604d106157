package io.busbar.sandbox.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What the API server's own admission plugins do to a Pod that is created, before webhooks see it.
 *
 * <p>Imitated: the service account's name, and the tolerations of a node that is away for five minutes. What needs the account itself
 * is done by {@code auth.PodAccounts}, what needs other objects by {@code admission.Plugin}s. Any thread.
 */
public final class PodAdmission {

    private static final int FIVE_MINUTES = 300;

    private PodAdmission() {}

    /** @param pod decoded; not altered */
    public static ObjectNode admit(ObjectNode pod) {
        ObjectNode admitted = pod.deepCopy();
        ObjectNode spec = Fields.in(admitted, "spec");
        Fields.text(spec, "serviceAccountName", "default");
        spec.set("serviceAccount", spec.get("serviceAccountName"));
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
        return admitted;
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
