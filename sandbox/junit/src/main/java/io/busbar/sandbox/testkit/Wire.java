package io.busbar.sandbox.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.common.internal.certificate.Pem;
import io.busbar.sandbox.Sandbox;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An admin's requests to an API server, in JSON. Any thread; blocks. */
@FunctionalInterface
interface Wire {

    Duration PATIENCE = Duration.ofSeconds(30);
    JsonMapper JSON = JsonMapper.builder().build();

    /** @param body the object, or a Status that says why not */
    record Answer(int code, JsonNode body) {

        static Answer of(int code, String body) {
            try {
                return new Answer(code, JSON.readTree(body));
            } catch (JsonProcessingException noJson) {
                return new Answer(code, JsonNodeFactory.instance.objectNode().put("message", body));
            }
        }

        String message() {
            return code + " " + body.path("message").asText();
        }
    }

    /** @param body empty for none; of a PATCH, what is applied */
    Answer send(String method, String path, String body);

    default Answer get(String path) {
        return send("GET", path, "");
    }

    static String contentType(String method) {
        return method.equals("PATCH") ? "application/apply-patch+yaml" : "application/json";
    }

    /** By the JDK's client: a test that uses none of fabric8's needs none. */
    static Wire to(Sandbox sandbox) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE);
        if (!sandbox.certificateAuthority().isEmpty()) {
            builder.sslContext(trusting(sandbox.certificateAuthority()));
        }
        HttpClient http = builder.build();
        return (method, path, body) -> {
            HttpRequest request = HttpRequest.newBuilder(URI.create(sandbox.url() + path))
                    .timeout(PATIENCE)
                    .header("Authorization", "Bearer " + sandbox.token())
                    .header("Content-Type", contentType(method))
                    .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                    .build();
            try {
                HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
                return Answer.of(response.statusCode(), response.body());
            } catch (IOException failure) {
                throw new IllegalStateException(method + " " + path + ": " + failure, failure);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted during " + method + " " + path, interrupted);
            }
        };
    }

    private static SSLContext trusting(String authority) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (X509Certificate certificate : Pem.certificates(authority)) {
                store.setCertificateEntry("ca-" + store.size(), certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException failure) {
            throw new IllegalStateException("no use in the sandbox's certificate: " + failure.getMessage(), failure);
        }
    }
}
