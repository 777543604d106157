package io.busbar.operator.mysqlcluster.access;

import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.observe.RotationProgress;
import io.busbar.operator.mysqlcluster.observe.RotationProgress.Stage;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What stands in the Secret with a cluster's passwords while they are changed. Each stage is one write; whoever reads a
 * password under its own key can log in with it at every moment.
 *
 * <pre>
 *   Settled     key                                                 servers let in with it
 *   Announced   key and key-next: made up, and known to nobody yet  both, once each has been told
 *   Turned      key, which was key-next, and key-previous           both
 *   Ending      key                                                 it alone, once each has been told
 * </pre>
 *
 * <p>What the operator itself logged in with before stays under {@value #FORMER}: it opens volumes that no server has
 * used since, as those of members that were scaled away. Pure; any thread.
 */
final class SecretStages {

    static final String NEXT = "-next";
    static final String PREVIOUS = "-previous";

    /** One a line, newest first. */
    static final String FORMER = Passwords.OPERATOR_KEY + "s-former";

    private static final int MOST_FORMER = 12;

    private SecretStages() {}

    static RotationProgress progress(Secret secret) {
        return new RotationProgress(
                ClusterKeys.ROTATION_STAGE.of(secret).map(Stage::of).orElse(Stage.SETTLED),
                ClusterKeys.ANSWERED_ROTATION.of(secret).orElse(""),
                ClusterKeys.PASSWORDS_SINCE
                        .of(secret)
                        .or(() -> Optional.ofNullable(secret.getMetadata().getCreationTimestamp()))
                        .flatMap(SecretStages::time));
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException unreadable) {
            return Optional.empty();
        }
    }

    /** The annotations of a Secret whose passwords were just made up. */
    static Map<String, String> begun(String answered, Instant now) {
        return Map.of(
                ClusterKeys.ANSWERED_ROTATION.name(), answered, ClusterKeys.PASSWORDS_SINCE.name(), now.toString());
    }

    /** Another password by which an account lets in as well; empty for none. */
    static Optional<String> other(Secret secret, String key) {
        return Passwords.value(secret, key + NEXT).or(() -> Passwords.value(secret, key + PREVIOUS));
    }

    static Stream<String> former(Secret secret) {
        return Passwords.value(secret, FORMER).stream().flatMap(String::lines).filter(line -> !line.isBlank());
    }

    /**
     * A merge patch that takes a Secret on.
     *
     * @param keys whose values are changed
     * @param request what is answered by it
     * @param password makes one up
     */
    static Map<String, Object> announcing(
            Secret secret, Collection<String> keys, String request, Supplier<String> password) {
        Map<String, @Nullable String> texts =
                keys.stream().collect(Collectors.toMap(key -> key + NEXT, key -> password.get()));
        return patch(
                secret,
                texts,
                Map.of(
                        ClusterKeys.ROTATION_STAGE.name(),
                        Stage.ANNOUNCED.word(),
                        ClusterKeys.ANSWERED_ROTATION.name(),
                        request));
    }

    /** The same, from there. */
    static Map<String, Object> turning(Secret secret, Instant now) {
        Map<String, @Nullable String> texts = new TreeMap<>();
        for (String key : keysWith(secret, NEXT)) {
            texts.put(key + NEXT, null);
            texts.put(key + PREVIOUS, Passwords.value(secret, key).orElse(null));
            texts.put(key, Passwords.value(secret, key + NEXT).orElse(null));
        }
        return patch(
                secret,
                texts,
                Map.of(
                        ClusterKeys.ROTATION_STAGE.name(),
                        Stage.TURNED.word(),
                        ClusterKeys.PASSWORDS_SINCE.name(),
                        now.toString()));
    }

    /** The same, from there. */
    static Map<String, Object> ending(Secret secret) {
        Map<String, @Nullable String> texts = new TreeMap<>();
        keysWith(secret, PREVIOUS).forEach(key -> texts.put(key + PREVIOUS, null));
        texts.put(
                FORMER,
                Stream.concat(Passwords.value(secret, Passwords.OPERATOR_KEY + PREVIOUS).stream(), former(secret))
                        .limit(MOST_FORMER)
                        .collect(Collectors.joining("\n")));
        return patch(secret, texts, Map.of(ClusterKeys.ROTATION_STAGE.name(), Stage.ENDING.word()));
    }

    /** The same, from there. */
    static Map<String, Object> settling(Secret secret) {
        Map<String, @Nullable String> annotations = new TreeMap<>();
        annotations.put(ClusterKeys.ROTATION_STAGE.name(), null);
        return patch(secret, Map.of(), annotations);
    }

    private static Collection<String> keysWith(Secret secret, String suffix) {
        return Objects.requireNonNullElse(secret.getData(), Map.<String, String>of()).keySet().stream()
                .filter(key -> key.endsWith(suffix))
                .map(key -> key.substring(0, key.length() - suffix.length()))
                .toList();
    }

    /** Fails where somebody has changed the Secret meanwhile. A key is removed from the data, never from the texts. */
    private static Map<String, Object> patch(
            Secret secret, Map<String, @Nullable String> texts, Map<String, @Nullable String> annotations) {
        Map<String, @Nullable String> removed = new TreeMap<>();
        Map<String, @Nullable String> kept = new TreeMap<>();
        texts.forEach((key, text) -> (text == null ? removed : kept).put(key, text));
        return Map.of(
                "metadata",
                Map.of(
                        "resourceVersion",
                        String.valueOf(secret.getMetadata().getResourceVersion()),
                        "annotations",
                        annotations),
                "data",
                removed,
                "stringData",
                kept);
    }
}
