package io.busbar.operator.sidecarset.validation;

import io.fabric8.kubernetes.api.model.ConfigMapEnvSource;
import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.ObjectFieldSelector;
import io.fabric8.kubernetes.api.model.SecretEnvSource;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a container's environment must be. Pure functions, any thread. */
final class EnvironmentRules {

    private static final Set<String> FIELDS = Set.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");
    private static final Pattern SUBSCRIPTED = Pattern.compile("metadata\\.(labels|annotations)\\['(.*)']");
    private static final Pattern RESOURCE =
            Pattern.compile("(limits|requests)\\.(cpu|memory|ephemeral-storage|hugepages-.+)");

    private EnvironmentRules() {}

    static void check(Field container, Container object) {
        container.<EnvVar>each("env", object.getEnv(), (at, variable) -> {
            at.child("name").text(variable.getName(), Names::environmentVariable);
            if (variable.getValueFrom() != null) {
                source(at.child("valueFrom"), variable.getValueFrom(), variable.getValue());
            }
        });
        container.<EnvFromSource>each("envFrom", object.getEnvFrom(), EnvironmentRules::many);
    }

    private static void source(Field at, EnvVarSource source, @Nullable String value) {
        long sources = count(
                source.getFieldRef(),
                source.getResourceFieldRef(),
                source.getConfigMapKeyRef(),
                source.getSecretKeyRef(),
                source.getFileKeyRef());
        if (value != null && !value.isEmpty()) {
            at.invalid("", "may not be specified when `value` is not empty");
        } else if (sources > 1) {
            at.invalid("", "may not have more than one field specified at a time");
        } else if (sources == 0 && source.getAdditionalProperties().isEmpty()) {
            at.invalid("", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`");
        }
        if (source.getFieldRef() != null) {
            field(at.child("fieldRef"), source.getFieldRef());
        }
        if (source.getResourceFieldRef() != null) {
            Field resource = at.child("resourceFieldRef").child("resource");
            String name = source.getResourceFieldRef().getResource();
            if (resource.hasText(name) && !RESOURCE.matcher(name).matches()) {
                resource.invalid(
                        name, "supported are limits and requests of cpu, memory, ephemeral-storage and hugepages");
            }
        }
        ConfigMapKeySelector map = source.getConfigMapKeyRef();
        if (map != null) {
            at.child("configMapKeyRef").child("name").text(map.getName(), Names::dnsSubdomain);
            at.child("configMapKeyRef").child("key").text(map.getKey(), Names::configKey);
        }
        SecretKeySelector secret = source.getSecretKeyRef();
        if (secret != null) {
            at.child("secretKeyRef").child("name").text(secret.getName(), Names::dnsSubdomain);
            at.child("secretKeyRef").child("key").text(secret.getKey(), Names::configKey);
        }
    }

    private static void field(Field at, ObjectFieldSelector reference) {
        at.child("apiVersion").hasText(reference.getApiVersion());
        Field path = at.child("fieldPath");
        if (!path.hasText(reference.getFieldPath())) {
            return;
        }
        Matcher subscripted = SUBSCRIPTED.matcher(reference.getFieldPath());
        if (subscripted.matches()) {
            String key = subscripted.group(2);
            path.text(subscripted.group(1).equals("labels") ? key : key.toLowerCase(Locale.ROOT), Names::qualified);
        } else if (!FIELDS.contains(reference.getFieldPath())) {
            path.invalid(reference.getFieldPath(), "error converting fieldPath: field label not supported");
        }
    }

    private static void many(Field at, EnvFromSource source) {
        at.child("prefix").optionalText(source.getPrefix(), Names::environmentVariable);
        ConfigMapEnvSource map = source.getConfigMapRef();
        SecretEnvSource secret = source.getSecretRef();
        long sources = count(map, secret);
        if (sources > 1) {
            at.invalid("", "may not have more than one field specified at a time");
        } else if (sources == 0) {
            at.invalid("", "must specify one of: `configMapRef` or `secretRef`");
        }
        if (map != null) {
            at.child("configMapRef").child("name").text(map.getName(), Names::dnsSubdomain);
        }
        if (secret != null) {
            at.child("secretRef").child("name").text(secret.getName(), Names::dnsSubdomain);
        }
    }

    private static long count(@Nullable Object... parts) {
        return Stream.of(parts).filter(Objects::nonNull).count();
    }
}
