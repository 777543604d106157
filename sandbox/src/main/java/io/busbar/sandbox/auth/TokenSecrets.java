package io.busbar.sandbox.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills Secrets of the type {@code kubernetes.io/service-account-token}, and deletes those whose account is not there.
 *
 * <p>One context.
 */
public final class TokenSecrets {

    private static final Logger log = LoggerFactory.getLogger(TokenSecrets.class);
    private static final String TYPE = "kubernetes.io/service-account-token";
    private static final String NAME = "kubernetes.io/service-account.name";
    private static final String UID = "kubernetes.io/service-account.uid";

    private final ObjectStore store;
    private final ServiceAccountTokens tokens;
    private final String certificate;
    /** Secrets by account. */
    private final Map<ObjectKey, Set<ObjectKey>> secrets = new HashMap<>();

    /** @param certificate of the server's CA, in PEM; empty without TLS */
    public TokenSecrets(ObjectStore store, ServiceAccountTokens tokens, String certificate) {
        this.store = store;
        this.tokens = tokens;
        this.certificate = certificate;
    }

    public void start() {
        store.watch(ServiceAccountTokens.SECRETS, this::secretChanged);
        store.watch(ServiceAccountTokens.ACCOUNTS, this::accountChanged);
    }

    private void secretChanged(StoreEvent event) {
        ObjectNode secret = event.object();
        if (!secret.path("type").asText().equals(TYPE)) {
            return;
        }
        ObjectKey account = new ObjectKey(event.key().namespace(), annotation(secret, NAME));
        if (event.type() == StoreEvent.Type.DELETED) {
            secrets.getOrDefault(account, new HashSet<>()).remove(event.key());
            return;
        }
        secrets.computeIfAbsent(account, absent -> new HashSet<>()).add(event.key());
        settle(event.key(), account);
    }

    private void accountChanged(StoreEvent event) {
        Set<ObjectKey> own = secrets.getOrDefault(event.key(), Set.of());
        List.copyOf(own).forEach(secret -> settle(secret, event.key()));
        if (own.isEmpty()) {
            secrets.remove(event.key());
        }
    }

    private void settle(ObjectKey key, ObjectKey accountKey) {
        ObjectNode secret = store.get(ServiceAccountTokens.SECRETS, key);
        if (secret == null) {
            return;
        }
        ObjectNode account = store.get(ServiceAccountTokens.ACCOUNTS, accountKey);
        String uid = annotation(secret, UID);
        if (account == null
                || (!uid.isEmpty() && !uid.equals(Metadata.of(account).uid()))) {
            log(store.delete(ServiceAccountTokens.SECRETS, key, null), key);
        } else if (uid.isEmpty() || !secret.path("data").hasNonNull("token")) {
            String token = tokens.issue(account, key.name());
            log(
                    store.update(ServiceAccountTokens.SECRETS, key, now -> {
                        if (now != null) {
                            fill(now, account, token);
                        }
                        return now;
                    }),
                    key);
        }
    }

    private void fill(ObjectNode secret, ObjectNode account, String token) {
        Metadata.of(secret)
                .node()
                .withObject("/annotations")
                .put(UID, Metadata.of(account).uid());
        ObjectNode data = secret.withObject("/data");
        data.put("ca.crt", encoded(certificate));
        data.put("namespace", encoded(Metadata.of(secret).namespace()));
        data.put("token", encoded(token));
    }

    private static void log(Future<?> write, ObjectKey key) {
        write.onFailure(failure -> {
            if (!(failure instanceof StatusException)) {
                log.atError()
                        .addKeyValue("namespace", key.namespace())
                        .addKeyValue("name", key.name())
                        .setCause(failure)
                        .log("the Secret of a token could not be kept right");
            }
        });
    }

    private static String annotation(ObjectNode object, String name) {
        return object.path("metadata").path("annotations").path(name).asText("");
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
