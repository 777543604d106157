package io.busbar.reconciler.work;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.ResourceVersions;
import io.busbar.reconciler.write.OutdatedPrimaryException;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The primaries whose reconcile has written to them too late, as somebody else had changed them: each waits for its
 * newer version, which the watch may not have shown yet. Whether that change counts for the controller does not matter.
 *
 * <p>Any thread.
 */
final class Conflicts {

    private final ResourceType type;
    private final Map<ObjectKey, String> outdated = new ConcurrentHashMap<>();

    /** @param type of the primaries */
    Conflicts(ResourceType type) {
        this.type = type;
    }

    /**
     * Whether this says that the primary was written too late, by the engine or by the reconciler's own write with a
     * resourceVersion; or that it is gone, which the watch has yet to show. A name that is taken, and fields that
     * another manager owns, are conflicts of another kind, which a newer version does not settle.
     */
    boolean isOutdated(KubernetesClientException failure, ObjectKey key) {
        if (failure instanceof OutdatedPrimaryException) {
            return true;
        }
        Status status = failure.getStatus();
        StatusDetails details = status == null ? null : status.getDetails();
        if (details == null
                || !key.name().equals(details.getName())
                || !(type.plural().equals(details.getKind()) || type.kind().equals(details.getKind()))) {
            return false;
        }
        if (failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
            return "NotFound".equals(status.getReason());
        }
        return failure.getCode() == HttpURLConnection.HTTP_CONFLICT
                && "Conflict".equals(status.getReason())
                && details.getCauses().stream().noneMatch(cause -> "FieldManagerConflict".equals(cause.getReason()));
    }

    /** A primary of this version is too old to be written. */
    void await(ObjectKey key, String version) {
        outdated.put(key, version);
    }

    /**
     * A version of a primary is in the store.
     *
     * @return whether it was waited for; once
     */
    boolean arrived(ObjectKey key, String version) {
        String old = outdated.get(key);
        return old != null && isNewer(version, old) && outdated.remove(key, old);
    }

    /** The version that is too old, if the primary waits: it does not any more. */
    Optional<String> take(ObjectKey key) {
        return Optional.ofNullable(outdated.remove(key));
    }

    /** Where versions have no order, any other one is newer. */
    static boolean isNewer(String version, String old) {
        return ResourceVersions.compare(version, old).orElseGet(() -> version.equals(old) ? 0 : 1) > 0;
    }
}
