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
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a container: {@code envFrom}, then {@code env}, each value expanded with those before it. Any
 * thread; blocks.
 *
 * @param path where programs are looked for
 */
record Environment(References references, PodFields fields, String path) {

    /** @throws MissingReferenceException when a Secret, a ConfigMap or a key of one is not there and not optional */
    Map<String, String> of(Container container) throws MissingReferenceException {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PATH", path);
        variables.put("HOME", "/root");
        variables.put("HOSTNAME", fields.value("metadata.name"));
        for (EnvFromSource source : container.getEnvFrom()) {
            String prefix = Objects.requireNonNullElse(source.getPrefix(), "");
            all(source).forEach((key, value) -> variables.put(prefix + key, new String(value, UTF_8)));
        }
        for (EnvVar variable : container.getEnv()) {
            if (variable.getValueFrom() != null) {
                value(variable.getValueFrom()).ifPresent(value -> variables.put(variable.getName(), value));
            } else {
                String value = Objects.requireNonNullElse(variable.getValue(), "");
                variables.put(variable.getName(), new Expansion(variables).expand(value));
            }
        }
        return variables;
    }

    private Map<String, byte[]> all(EnvFromSource source) throws MissingReferenceException {
        return source.getSecretRef() != null
                ? references.secret(
                        source.getSecretRef().getName(), source.getSecretRef().getOptional())
                : references.configMap(
                        source.getConfigMapRef().getName(),
                        source.getConfigMapRef().getOptional());
    }

    private Optional<String> value(EnvVarSource source) throws MissingReferenceException {
        SecretKeySelector secret = source.getSecretKeyRef();
        if (secret != null) {
            return key(
                    references.secret(secret.getName(), secret.getOptional()), secret.getKey(), secret.getOptional());
        }
        ConfigMapKeySelector map = source.getConfigMapKeyRef();
        if (map != null) {
            return key(references.configMap(map.getName(), map.getOptional()), map.getKey(), map.getOptional());
        }
        if (source.getFieldRef() != null) {
            return Optional.of(fields.value(source.getFieldRef().getFieldPath()));
        }
        throw new IllegalArgumentException("no such source of a variable here: " + source);
    }

    private static Optional<String> key(Map<String, byte[]> content, String key, @Nullable Boolean optional)
            throws MissingReferenceException {
        byte[] value = content.get(key);
        if (value == null && !Boolean.TRUE.equals(optional)) {
            throw new MissingReferenceException("couldn't find key " + key);
        }
        return Optional.ofNullable(value).map(bytes -> new String(bytes, UTF_8));
    }
}
