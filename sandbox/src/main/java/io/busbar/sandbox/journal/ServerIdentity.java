package io.busbar.sandbox.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.tls.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;

/**
 * Who a server is, and what it alone knows.
 *
 * <p>Immutable.
 *
 * @param token the admin's
 * @param tokenKey what tokens are signed with, in base64
 * @param tls empty without TLS
 */
public record ServerIdentity(String token, String tokenKey, Optional<TlsIdentity> tls) {

    private static final int KEY_BYTES = 32;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Takes some time with TLS: not for an event loop. */
    public static ServerIdentity make(Collection<String> hosts, boolean tls) {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return new ServerIdentity(
                UUID.randomUUID().toString(),
                Base64.getEncoder().encodeToString(key),
                tls ? Optional.of(TlsIdentity.make(hosts)) : Optional.empty());
    }

    /** The same, with a certificate for the hosts when one is wanted. */
    private ServerIdentity completed(Collection<String> hosts, boolean wanted) {
        return wanted
                ? new ServerIdentity(
                        token,
                        tokenKey,
                        Optional.of(tls.map(known -> known.holdingFor(hosts)).orElseGet(() -> TlsIdentity.make(hosts))))
                : this;
    }

    /** Reads it, or makes and writes one; with a certificate for the hosts when one is wanted. */
    static ServerIdentity keep(Path file, Collection<String> hosts, boolean tls) throws IOException {
        if (!Files.exists(file)) {
            ServerIdentity made = make(hosts, tls);
            made.write(file);
            return made;
        }
        ServerIdentity known = read(file);
        ServerIdentity complete = known.completed(hosts, tls);
        if (!complete.equals(known)) {
            complete.write(file);
        }
        return complete;
    }

    private static ServerIdentity read(Path file) throws IOException {
        JsonNode node = JSON.readTree(file.toFile());
        String token = node.path("token").asText("");
        if (token.isEmpty() || !node.hasNonNull("tokenKey")) {
            throw new IOException(file + " is not the identity of a sandbox");
        }
        JsonNode tls = node.path("tls");
        return new ServerIdentity(
                token,
                node.path("tokenKey").asText(),
                tls.hasNonNull("authorityKey")
                        ? Optional.of(new TlsIdentity(
                                tls.path("authority").asText(),
                                tls.path("authorityKey").asText(),
                                tls.path("certificate").asText(),
                                tls.path("key").asText()))
                        : Optional.empty());
    }

    private void write(Path file) throws IOException {
        ObjectNode node = JSON.createObjectNode();
        node.put("token", token).put("tokenKey", tokenKey);
        tls.ifPresent(known -> node.putObject("tls")
                .put("authority", known.authority())
                .put("authorityKey", known.authorityKey())
                .put("certificate", known.certificate())
                .put("key", known.key()));
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(unfinished);
        Files.createFile(unfinished, Folder.ownersOnly("rw-------"));
        Files.write(unfinished, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(node));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public String toString() {
        return "ServerIdentity[tls=" + tls.isPresent() + "]";
    }
}
