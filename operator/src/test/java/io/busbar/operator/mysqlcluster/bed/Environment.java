package io.busbar.operator.mysqlcluster.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The environment of a container: {@code envFrom}, then {@code env}, each value expanded with those before it. Any thread; blocks. */
record Environment(References references, PodFields fields) {

    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** @throws MissingReferenceException when a Secret, a ConfigMap or a key of one is not there and not optional */
    Map<String, String> of(Container container) throws MissingReferenceException {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PATH", PATH);
        variables.put("HOME", "/root");
        variables.put("HOSTNAME", fields.value("metadata.name"));
        for (EnvFromSource source : container.getEnvFrom()) {
            String prefix = source.getPrefix() == null ? "" : source.getPrefix();
            all(source).forEach((key, value) -> variables.put(prefix + key, new String(value, UTF_8)));
        }
        for (EnvVar variable : container.getEnv()) {
            Optional<String> value = variable.getValueFrom() == null
                    ? Optional.of(new Expansion(variables)
                            .expand(Optional.ofNullable(variable.getValue()).orElse("")))
                    : value(variable.getValueFrom());
            value.ifPresent(text -> variables.put(variable.getName(), text));
        }
        return variables;
    }

    private Map<String, byte[]> all(EnvFromSource source) throws MissingReferenceException {
        if (source.getSecretRef() != null) {
            String name = source.getSecretRef().getName();
            return required(references.secret(name), source.getSecretRef().getOptional(), "secret \"" + name + "\"")
                    .orElse(Map.of());
        }
        String name = source.getConfigMapRef().getName();
        return required(
                        references.configMap(name),
                        source.getConfigMapRef().getOptional(),
                        "configmap \"" + name + "\"")
                .orElse(Map.of());
    }

    private Optional<String> value(EnvVarSource source) throws MissingReferenceException {
        SecretKeySelector secret = source.getSecretKeyRef();
        if (secret != null) {
            return key(
                    references.secret(secret.getName()),
                    secret.getKey(),
                    secret.getOptional(),
                    "secret",
                    secret.getName());
        }
        ConfigMapKeySelector map = source.getConfigMapKeyRef();
        if (map != null) {
            return key(
                    references.configMap(map.getName()), map.getKey(), map.getOptional(), "configmap", map.getName());
        }
        if (source.getFieldRef() != null) {
            return Optional.of(fields.value(source.getFieldRef().getFieldPath()));
        }
        throw new IllegalArgumentException("no such source of a variable here: " + source);
    }

    private static Optional<String> key(
            Optional<Map<String, byte[]>> content, String key, Boolean optional, String kind, String name)
            throws MissingReferenceException {
        Optional<Map<String, byte[]>> there = required(content, optional, kind + " \"" + name + "\"");
        Optional<byte[]> value = there.map(entries -> entries.get(key));
        return required(value, optional, "key " + key + " in " + kind + " \"" + name + "\"")
                .map(bytes -> new String(bytes, UTF_8));
    }

    private static <T> Optional<T> required(Optional<T> found, Boolean optional, String what)
            throws MissingReferenceException {
        if (found.isEmpty() && !Boolean.TRUE.equals(optional)) {
            throw new MissingReferenceException(what + " not found");
        }
        return found;
    }
}
