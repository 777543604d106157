package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.syntax.GeneratedNames;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The account of a Pod: each runs as a service account that is there, and finds its token in a volume unless it or the
 * account says no.
 *
 * <p>One context. What the admission plugin ServiceAccount does, as it has since 1.22, where the token is projected.
 * Not imitated: mirror Pods, and accounts that limit which Secrets are mounted.
 */
final class PodAccounts {

    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource ACCOUNTS = GroupResource.core("serviceaccounts");
    private static final String VOLUME = "kube-api-access-";
    private static final String PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
    /** An hour, and seven seconds by which a token that the server adds is told from one that was asked for. */
    private static final int SECONDS = 3607;

    private final Function<ObjectKey, @Nullable ObjectNode> accounts;

    /** @param accounts finds a service account; null for one that is not there */
    PodAccounts(Function<ObjectKey, @Nullable ObjectNode> accounts) {
        this.accounts = accounts;
    }

    /** @throws StatusException 403 when the account is not there */
    ObjectNode admit(ObjectNode pod) {
        ObjectNode spec = pod.withObject("/spec");
        ObjectNode account = account(pod, spec);
        if (mounts(spec, account)) {
            mount(spec);
        }
        if (spec.path("imagePullSecrets").isEmpty()
                && !account.path("imagePullSecrets").isEmpty()) {
            spec.set("imagePullSecrets", account.path("imagePullSecrets").deepCopy());
        }
        return pod;
    }

    private ObjectNode account(ObjectNode pod, ObjectNode spec) {
        Metadata metadata = Metadata.of(pod);
        String name = spec.path("serviceAccountName").asText();
        ObjectNode account = accounts.apply(new ObjectKey(metadata.namespace(), name));
        if (account == null) {
            throw StatusException.forbidden(
                    PODS,
                    metadata.name(),
                    "error looking up service account " + metadata.namespace() + "/" + name + ": "
                            + StatusException.notFound(new GroupResource(ACCOUNTS.group(), "serviceaccount"), name)
                                    .getMessage());
        }
        return account;
    }

    private static boolean mounts(ObjectNode spec, ObjectNode account) {
        JsonNode own = spec.path("automountServiceAccountToken");
        return own.asBoolean(account.path("automountServiceAccountToken").asBoolean(true));
    }

    /** In each container that has nothing there yet. */
    private static void mount(ObjectNode spec) {
        String existing = volume(spec);
        String volume = existing.isEmpty() ? GeneratedNames.of(VOLUME) : existing;
        boolean needed = false;
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(list)) {
                if (!hasMount(container)) {
                    ((ObjectNode) container)
                            .withArrayProperty("volumeMounts")
                            .addObject()
                            .put("name", volume)
                            .put("readOnly", true)
                            .put("mountPath", PATH);
                    needed = true;
                }
            }
        }
        if (needed && existing.isEmpty()) {
            spec.withArrayProperty("volumes").add(projected(volume));
        }
    }

    private static String volume(ObjectNode spec) {
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.path("name").asText().startsWith(VOLUME)) {
                return volume.path("name").asText();
            }
        }
        return "";
    }

    private static boolean hasMount(JsonNode container) {
        for (JsonNode mount : container.path("volumeMounts")) {
            if (mount.path("mountPath").asText().equals(PATH)) {
                return true;
            }
        }
        return false;
    }

    private static ObjectNode projected(String name) {
        ObjectNode volume = JsonNodeFactory.instance.objectNode().put("name", name);
        ObjectNode projected = volume.putObject("projected");
        ArrayNode sources = projected.putArray("sources");
        sources.addObject()
                .putObject("serviceAccountToken")
                .put("expirationSeconds", SECONDS)
                .put("path", "token");
        ObjectNode authority = sources.addObject().putObject("configMap").put("name", "kube-root-ca.crt");
        authority.putArray("items").addObject().put("key", "ca.crt").put("path", "ca.crt");
        ObjectNode namespace = sources.addObject()
                .putObject("downwardAPI")
                .putArray("items")
                .addObject()
                .put("path", "namespace");
        namespace.putObject("fieldRef").put("apiVersion", "v1").put("fieldPath", "metadata.namespace");
        projected.put("defaultMode", 0644);
        return volume;
    }
}
