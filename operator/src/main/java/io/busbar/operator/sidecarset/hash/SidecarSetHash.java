package io.busbar.operator.sidecarset.hash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The two hashes of a SidecarSet's containers, equal to those that OpenKruise writes.
 *
 * <p>Containers count with all their known fields; init containers only if one of them is a native sidecar; volumes,
 * secrets and selectors never. To be taken of a spec with its defaults.
 *
 * <p>Immutable.
 *
 * @param whole with images
 * @param withoutImage equal for two specs that differ in images alone: one can be updated to the other in place
 */
public record SidecarSetHash(String whole, String withoutImage) {

    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    public static SidecarSetHash of(SidecarSetSpec spec) {
        ObjectNode hashed = JsonNodeFactory.instance.objectNode();
        hashed.set("containers", shapes(spec.containers()));
        if (spec.initContainers().stream().anyMatch(SidecarContainer::runsAsNativeSidecar)) {
            hashed.set("initContainers", shapes(spec.initContainers()));
        }
        String whole = digest(GoJson.write(hashed));
        hashed.forEach(list -> list.forEach(container -> ((ObjectNode) container).remove("image")));
        return new SidecarSetHash(whole, digest(GoJson.write(hashed)));
    }

    private static JsonNode shapes(List<SidecarContainer> containers) {
        if (containers.isEmpty()) {
            return NullNode.getInstance();
        }
        ArrayNode shapes = JsonNodeFactory.instance.arrayNode();
        containers.forEach(container -> shapes.add(ContainerShape.known(container)));
        return shapes;
    }

    /** SHA-256 in hexadecimal, in an alphabet that spells no words. */
    private static String digest(String json) {
        StringBuilder safe = new StringBuilder(64);
        HexFormat.of()
                .formatHex(sha256().digest(json.getBytes(StandardCharsets.UTF_8)))
                .chars()
                .forEach(c -> safe.append(ALPHABET.charAt(c % ALPHABET.length())));
        return safe.toString();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
