package io.busbar.sandbox.kinds.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.syntax.JsonProblem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of Secrets: each type has keys of its own. Any thread. */
public final class SecretRules extends BuiltInRules {

    private static final String ACCOUNT = "kubernetes.io/service-account.name";

    public SecretRules(Facts facts) {
        super(facts);
    }

    /** Plain strings are merged into the data, and never read back. */
    @Override
    protected void fillDefaults(ObjectNode secret) {
        if (secret.remove("stringData") instanceof ObjectNode plain) {
            ObjectNode data = Fields.in(secret, "data");
            plain.properties()
                    .forEach(entry -> data.put(
                            entry.getKey(),
                            Base64.getEncoder()
                                    .encodeToString(entry.getValue().asText().getBytes(StandardCharsets.UTF_8))));
        }
    }

    @Override
    protected void check(Causes causes, ObjectNode secret, @Nullable ObjectNode before, String subresource) {
        if (before != null && !secret.path("type").equals(before.path("type"))) {
            causes.invalid("type", secret.path("type"), "field is immutable");
        }
        ConfigMapRules.immutable(causes, secret, before);
        JsonNode data = secret.path("data");
        ConfigMapRules.keys(causes, "data", data);
        long size = data.properties().stream()
                .mapToLong(entry -> bytes(entry.getValue()).length)
                .sum();
        if (size > ConfigMapRules.MOST_BYTES) {
            causes.add(FieldCause.tooLong("data", ConfigMapRules.MOST_BYTES));
        }
        type(causes, secret, data);
    }

    @Override
    public List<String> warnings(ObjectNode secret, @Nullable ObjectNode before) {
        boolean changed = before == null || !before.path("data").equals(secret.path("data"));
        if (!changed || !secret.path("type").asText().equals("kubernetes.io/tls")) {
            return List.of();
        }
        String complaint = KeyPairs.complaint(
                bytes(secret.path("data").path("tls.crt")),
                bytes(secret.path("data").path("tls.key")));
        return complaint.isEmpty() ? List.of() : List.of(complaint);
    }

    private static byte[] bytes(JsonNode text) {
        return Base64.getDecoder().decode(text.asText());
    }

    private static void type(Causes causes, ObjectNode secret, JsonNode data) {
        switch (secret.path("type").asText()) {
            case "kubernetes.io/service-account-token" -> {
                if (secret.at("/metadata/annotations").path(ACCOUNT).asText().isEmpty()) {
                    causes.required("metadata.annotations[" + ACCOUNT + "]", "");
                }
            }
            case "kubernetes.io/dockercfg" -> json(causes, data, ".dockercfg");
            case "kubernetes.io/dockerconfigjson" -> json(causes, data, ".dockerconfigjson");
            case "kubernetes.io/basic-auth" -> {
                if (!data.has("username") && !data.has("password")) {
                    causes.required("data[username]", "").required("data[password]", "");
                }
            }
            case "kubernetes.io/ssh-auth" -> {
                if (data.path("ssh-privatekey").asText().isEmpty()) {
                    causes.required("data[ssh-privatekey]", "");
                }
            }
            case "kubernetes.io/tls" -> {
                for (String key : List.of("tls.crt", "tls.key")) {
                    if (!data.has(key)) {
                        causes.required("data[" + key + "]", "");
                    }
                }
            }
            default -> {}
        }
    }

    /** What is wrong with it is told, what it says is not. */
    private static void json(Causes causes, JsonNode data, String key) {
        if (!data.has(key)) {
            causes.required("data[" + key + "]", "");
            return;
        }
        String complaint = JsonProblem.ofObject(new String(bytes(data.path(key)), StandardCharsets.UTF_8));
        if (complaint != null) {
            causes.add(FieldCause.invalid("data[" + key + "]", "\"<secret contents redacted>\"", complaint));
        }
    }
}
