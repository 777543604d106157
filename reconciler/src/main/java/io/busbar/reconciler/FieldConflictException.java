package io.busbar.reconciler;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Others have set fields of an object to other values than those desired, and the apply was
 * {@linkplain Apply#reportingConflicts not to take them}: nothing was changed. The message is the API server's, as
 * kubectl shows it.
 *
 * <p>Counts as refused (422): trying again helps only once somebody has decided who is right.
 */
public final class FieldConflictException extends KubernetesClientException {

    /** For a condition or an Event. */
    public static final String REASON = "FieldConflict";

    private static final long serialVersionUID = 1;
    private static final int UNPROCESSABLE = 422;
    private static final String CAUSE = "FieldManagerConflict";
    /** With version and time of the entry, the operation not always being told. */
    private static final Pattern MESSAGE =
            Pattern.compile("conflict with \"(.*)\"(?: with subresource \"[^\"]*\")? using (\\S+).*");

    private final transient List<Conflict> conflicts;

    /**
     * A field that somebody else has set.
     *
     * <p>Immutable.
     *
     * @param manager who has set it
     * @param apiVersion by which version of the kind; empty when the server does not say
     * @param field such as {@code .spec.replicas}
     */
    public record Conflict(String manager, String apiVersion, String field) {

        private static Conflict of(StatusCause cause) {
            String message = Objects.requireNonNullElse(cause.getMessage(), "");
            String field = Objects.requireNonNullElse(cause.getField(), "");
            Matcher told = MESSAGE.matcher(message);
            return told.matches()
                    ? new Conflict(told.group(1), told.group(2), field)
                    : new Conflict(message, "", field);
        }
    }

    private FieldConflictException(String message, Status status, List<Conflict> conflicts) {
        super(message, UNPROCESSABLE, status);
        this.conflicts = conflicts;
    }

    /** In the order that the API server gives them; at least one. */
    public List<Conflict> conflicts() {
        return conflicts;
    }

    /** Empty when a failure is something else. */
    public static Optional<FieldConflictException> of(KubernetesClientException failure) {
        Status status = failure.getStatus();
        if (status == null || status.getDetails() == null || status.getDetails().getCauses() == null) {
            return Optional.empty();
        }
        List<Conflict> conflicts = status.getDetails().getCauses().stream()
                .filter(cause -> CAUSE.equals(cause.getReason()))
                .map(Conflict::of)
                .toList();
        return conflicts.isEmpty()
                ? Optional.empty()
                : Optional.of(new FieldConflictException(
                        Objects.requireNonNullElse(failure.getMessage(), "conflict"), status, conflicts));
    }
}
