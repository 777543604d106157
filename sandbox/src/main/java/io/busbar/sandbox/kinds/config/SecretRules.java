package io.busbar.sandbox.kinds.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.JsonProblem;
import io.busbar.sandbox.syntax.Names;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of Secrets, each type of which has keys of its own, and of ConfigMaps, which have most of them in common.
 * Any thread.
 */
public final class SecretRules extends BuiltInRules {

    public static final RulesFile RULES = RulesFile.beside(
            SecretRules.class,
            Map.of(
                    "plain", SecretRules::plain,
                    "immutable", SecretRules::immutable,
                    "keys", SecretRules::keys,
                    "mapSize", SecretRules::mapSize,
                    "secretSize", SecretRules::secretSize,
                    "type", SecretRules::type));
    private static final int MOST_BYTES = 1024 * 1024;
    private static final String ACCOUNT = "kubernetes.io/service-account.name";

    public SecretRules(Facts facts) {
        super(facts);
    }

    @Override
    public List<String> warnings(ObjectNode secret, @Nullable ObjectNode before) {
        boolean changed = before == null || !before.path("data").equals(secret.path("data"));
        if (!changed || !secret.path("type").asText().equals("kubernetes.io/tls")) {
            return List.of();
        }
        String complaint = complaint(
                bytes(secret.path("data").path("tls.crt")),
                bytes(secret.path("data").path("tls.key")));
        return complaint.isEmpty() ? List.of() : List.of(complaint);
    }

    /**
     * Whether a certificate and a key are such, in the words of Go's TLS. Empty where there is nothing to say; whether
     * the key is the certificate's own is not looked at.
     */
    private static String complaint(byte[] certificate, byte[] key) {
        String text = new String(certificate, StandardCharsets.US_ASCII);
        if (!text.contains("-----BEGIN ")) {
            return "tls: failed to find any PEM data in certificate input";
        }
        if (!text.contains("-----BEGIN CERTIFICATE-----")) {
            return "tls: failed to find certificate PEM data in certificate input, but did find a private key;"
                    + " PEM inputs may have been switched";
        }
        if (!new String(key, StandardCharsets.US_ASCII).contains("PRIVATE KEY-----")) {
            return "tls: failed to find any PEM data in key input";
        }
        try {
            CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
            return "";
        } catch (GeneralSecurityException e) {
            return "x509: malformed certificate";
        }
    }

    /** Plain strings are merged into the data, and never read back. */
    private static void plain(Place place) {
        ObjectNode secret = (ObjectNode) place.value();
        if (secret.remove("stringData") instanceof ObjectNode plain) {
            ObjectNode data = Fields.in(secret, "data");
            plain.properties()
                    .forEach(entry -> data.put(
                            entry.getKey(),
                            Base64.getEncoder()
                                    .encodeToString(entry.getValue().asText().getBytes(StandardCharsets.UTF_8))));
        }
    }

    /** What has said once that it never changes cannot say otherwise. */
    private static void immutable(Place object) {
        if (!object.before().path("immutable").asBoolean()) {
            return;
        }
        String words = "field is immutable when `immutable` is set";
        if (!object.get("immutable").asBoolean()) {
            object.field("immutable").forbidden(words);
        }
        for (String field : List.of("data", "binaryData")) {
            if (object.field(field).changed()) {
                object.field(field).forbidden(words);
            }
        }
    }

    private static void keys(Place data) {
        data.value().fieldNames().forEachRemaining(key -> {
            data.entry(key).invalid(GoText.quote(key), Names.configKey(key));
            if (data.path().equals("binaryData") && data.root().get("data").has(key)) {
                data.root()
                        .field("data")
                        .entry(key)
                        .invalid(GoText.quote(key), "duplicate of key present in binaryData");
            }
        });
    }

    private static void mapSize(Place map) {
        long size = 0;
        for (JsonNode text : map.get("data")) {
            size += text.asText().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size + size(map.get("binaryData")) > MOST_BYTES) {
            map.besides("[]").tooLong(MOST_BYTES);
        }
    }

    private static void secretSize(Place secret) {
        if (size(secret.get("data")) > MOST_BYTES) {
            secret.field("data").tooLong(MOST_BYTES);
        }
    }

    private static long size(JsonNode data) {
        long size = 0;
        for (JsonNode text : data) {
            size += bytes(text).length;
        }
        return size;
    }

    private static byte[] bytes(JsonNode text) {
        return Base64.getDecoder().decode(text.asText());
    }

    private static void type(Place secret) {
        Place data = secret.field("data");
        switch (secret.text("type")) {
            case "kubernetes.io/service-account-token" -> {
                if (secret.get("metadata")
                        .path("annotations")
                        .path(ACCOUNT)
                        .asText()
                        .isEmpty()) {
                    secret.at("metadata.annotations").entry(ACCOUNT).required();
                }
            }
            case "kubernetes.io/dockercfg" -> json(data, ".dockercfg");
            case "kubernetes.io/dockerconfigjson" -> json(data, ".dockerconfigjson");
            case "kubernetes.io/basic-auth" -> {
                if (!data.value().has("username") && !data.value().has("password")) {
                    data.entry("username").required();
                    data.entry("password").required();
                }
            }
            case "kubernetes.io/ssh-auth" ->
                needs(data, !data.text("ssh-privatekey").isEmpty(), "ssh-privatekey");
            case "kubernetes.io/tls" ->
                List.of("tls.crt", "tls.key")
                        .forEach(key -> needs(data, data.value().has(key), key));
            default -> {}
        }
    }

    private static boolean needs(Place data, boolean has, String key) {
        if (!has) {
            data.entry(key).required();
        }
        return has;
    }

    /** What is wrong with it is told, what it says is not. */
    private static void json(Place data, String key) {
        String complaint = needs(data, data.value().has(key), key)
                ? JsonProblem.ofObject(new String(bytes(data.get(key)), StandardCharsets.UTF_8))
                : null;
        if (complaint != null) {
            data.entry(key).invalid("\"<secret contents redacted>\"", complaint);
        }
    }
}
