package io.busbar.operator.mysqlcluster.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What Pods of a namespace refer to, read when asked for. Any thread; blocks. */
record References(KubernetesClient client, String namespace) {

    /**
     * The content of a ConfigMap by key.
     *
     * @param optional true when one that is not there counts as empty
     */
    Map<String, byte[]> configMap(String name, @Nullable Boolean optional) throws MissingReferenceException {
        ConfigMap map =
                client.configMaps().inNamespace(namespace).withName(name).get();
        if (map == null) {
            return missing("configmap", name, optional);
        }
        Map<String, byte[]> content = decoded(map.getBinaryData());
        if (map.getData() != null) {
            map.getData().forEach((key, text) -> content.put(key, text.getBytes(UTF_8)));
        }
        return content;
    }

    /**
     * The content of a Secret by key.
     *
     * @param optional true when one that is not there counts as empty
     */
    Map<String, byte[]> secret(String name, @Nullable Boolean optional) throws MissingReferenceException {
        Secret secret = client.secrets().inNamespace(namespace).withName(name).get();
        return secret == null ? missing("secret", name, optional) : decoded(secret.getData());
    }

    /** The uid of a claim, once that has a volume. */
    String claim(String name) throws MissingReferenceException {
        PersistentVolumeClaim claim = client.persistentVolumeClaims()
                .inNamespace(namespace)
                .withName(name)
                .get();
        if (claim == null) {
            throw new MissingReferenceException("persistentvolumeclaim \"" + name + "\" not found");
        }
        if (claim.getStatus() == null || !"Bound".equals(claim.getStatus().getPhase())) {
            throw new MissingReferenceException("persistentvolumeclaim \"" + name + "\" is not bound");
        }
        return claim.getMetadata().getUid();
    }

    private static Map<String, byte[]> missing(String kind, String name, @Nullable Boolean optional)
            throws MissingReferenceException {
        if (Boolean.TRUE.equals(optional)) {
            return Map.of();
        }
        throw new MissingReferenceException(kind + " \"" + name + "\" not found");
    }

    private static Map<String, byte[]> decoded(@Nullable Map<String, String> data) {
        Map<String, byte[]> content = new HashMap<>();
        if (data != null) {
            data.forEach((key, text) -> content.put(key, Base64.getDecoder().decode(text)));
        }
        return content;
    }
}
