package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.common.ObjectKey;
import io.busbar.common.api.ApiFailure;
import io.busbar.reconciler.FieldConflictException;
import io.busbar.reconciler.write.ApiRequests.Managed;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that applies are made of.
 *
 * <p>Any thread; blocks.
 */
final class ApplyRequests {

    private static final Logger log = LoggerFactory.getLogger(ApplyRequests.class);
    /** How often others may write in between while own fields are joined. */
    private static final int ROUNDS = 3;

    private static final int UNPROCESSABLE = 422;

    private final String fieldManager;
    private final ApiRequests api;

    ApplyRequests(String fieldManager, ApiRequests api) {
        this.fieldManager = fieldManager;
        this.api = api;
    }

    /**
     * Whether a request failed since there is another object of the name than it was meant for, or one where none was
     * expected, or none.
     */
    static boolean isOfAnother(KubernetesClientException failure) {
        Status status = failure.getStatus();
        if (failure instanceof FieldConflictException || failure instanceof OutdatedPrimaryException) {
            return false;
        }
        // Before 1.22 or so, an object of another uid is an immutable field that changes.
        return ApiFailure.of(failure) instanceof ApiFailure.Conflict
                || (status != null
                        && status.getDetails() != null
                        && status.getDetails().getCauses().stream()
                                .anyMatch(cause -> "metadata.uid".equals(cause.getField())));
    }

    <T extends HasMetadata> Optional<Managed<T>> find(Class<T> type, HasMetadata desired) {
        try {
            return Optional.of(api.managed(type, ObjectPaths.of(desired)));
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /** As strict about unknown fields as an apply, where the API server can be (since 1.25). */
    <T extends HasMetadata> T create(Class<T> type, HasMetadata desired, Configuration configuration) {
        return api.create(
                type, ObjectPaths.collection(desired) + query("fieldValidation=Strict&"), configuration.body());
    }

    /**
     * Applies to this object and no other one.
     *
     * @throws FieldConflictException when others' fields are not to be taken, and it is about such
     */
    <T extends HasMetadata> T apply(Class<T> type, T current, Configuration configuration, boolean force) {
        for (int round = 1; ; round++) {
            Managed<T> answer;
            try {
                answer = api.patchManaged(
                        type,
                        ObjectPaths.of(current) + query(force ? "force=true&" : ""),
                        ApiRequests.APPLY,
                        configuration.forObject(uid(current)));
            } catch (KubernetesClientException failure) {
                Optional<FieldConflictException> conflict = FieldConflictException.of(failure);
                boolean own = conflict.stream()
                        .flatMap(one -> one.conflicts().stream())
                        .anyMatch(one -> one.manager().equals(fieldManager));
                // What was created, and is desired no longer, may be in the way of what takes its place.
                boolean invalid = failure.getCode() == UNPROCESSABLE && !isOfAnother(failure);
                if ((own || invalid) && round < ROUNDS && join(type, api.managed(type, ObjectPaths.of(current)))) {
                    continue;
                }
                throw conflict.map(KubernetesClientException.class::cast).orElse(failure);
            }
            if (round == ROUNDS || !join(type, answer)) {
                return answer.object();
            }
        }
    }

    /** Whether there was something to join, so that an apply now has another effect. */
    private <T extends HasMetadata> boolean join(Class<T> type, Managed<T> object) {
        Optional<ArrayNode> joined = OwnFields.joined(object.managers(), fieldManager, api);
        if (joined.isEmpty()) {
            return false;
        }
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        patch.addObject()
                .put("op", "replace")
                .put("path", "/metadata/managedFields")
                .set("value", joined.get());
        try {
            correct(type, object.object(), patch);
        } catch (KubernetesClientException failure) {
            if (!(ApiFailure.of(failure) instanceof ApiFailure.Conflict)) {
                throw failure;
            }
        }
        return true;
    }

    /**
     * @param patch a JSON Patch of the object as given; is changed
     * @return the object as it is now; empty when there is nothing to correct
     * @throws KubernetesClientException a conflict when somebody else was first
     */
    <T extends HasMetadata> Optional<T> correct(Class<T> type, T current, ArrayNode patch) {
        if (patch.isEmpty()) {
            return Optional.empty();
        }
        patch.addObject()
                .put("op", "replace")
                .put("path", "/metadata/resourceVersion")
                .put("value", current.getMetadata().getResourceVersion());
        T answer = api.patch(type, ObjectPaths.of(current) + query(""), ApiRequests.JSON_PATCH, patch);
        report(answer, current);
        return Optional.of(answer);
    }

    private String query(String options) {
        return "?" + options + "fieldManager=" + URLEncoder.encode(fieldManager, StandardCharsets.UTF_8);
    }

    /** Logs what has become of an object. */
    static void report(HasMetadata answer, @Nullable HasMetadata before) {
        boolean changed = before == null
                || !Objects.equals(
                        answer.getMetadata().getResourceVersion(),
                        before.getMetadata().getResourceVersion());
        (changed ? log.atInfo() : log.atDebug())
                .addKeyValue("kind", answer.getKind())
                .addKeyValue("object", ObjectKey.of(answer))
                .log(changed ? "applied" : "applied, nothing changed");
    }

    private static String uid(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getUid(), "");
    }
}
