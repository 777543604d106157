package io.busbar.operator.mysqlcluster.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What Pods of a namespace refer to, read when asked for. Any thread; blocks. */
record References(KubernetesClient client, String namespace) {

    /** The content of a ConfigMap by key; empty when there is no such map. */
    Optional<Map<String, byte[]>> configMap(String name) {
        return Optional.ofNullable(client.configMaps()
                        .inNamespace(namespace)
                        .withName(name)
                        .get())
                .map(References::content);
    }

    /** The content of a Secret by key; empty when there is no such Secret. */
    Optional<Map<String, byte[]>> secret(String name) {
        return Optional.ofNullable(
                        client.secrets().inNamespace(namespace).withName(name).get())
                .map(References::content);
    }

    /** The claim, once it has a volume. */
    PersistentVolumeClaim claim(String name) throws MissingReferenceException {
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
        return claim;
    }

    private static Map<String, byte[]> content(ConfigMap map) {
        Map<String, byte[]> content = new HashMap<>(decoded(map.getBinaryData()));
        if (map.getData() != null) {
            map.getData().forEach((key, text) -> content.put(key, text.getBytes(UTF_8)));
        }
        return content;
    }

    private static Map<String, byte[]> content(Secret secret) {
        return decoded(secret.getData());
    }

    private static Map<String, byte[]> decoded(Map<String, String> data) {
        Map<String, byte[]> content = new HashMap<>();
        if (data != null) {
            data.forEach((key, text) -> content.put(key, Base64.getDecoder().decode(text)));
        }
        return content;
    }
}
