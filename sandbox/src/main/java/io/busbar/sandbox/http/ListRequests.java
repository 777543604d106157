package io.busbar.sandbox.http;

import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.resource.CustomVersion;
import io.busbar.sandbox.select.FieldSelector;
import io.busbar.sandbox.select.LabelSelector;
import io.busbar.sandbox.select.SelectorException;
import io.busbar.sandbox.select.ShardSelector;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.verbs.ListQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of lists and watches. Immutable. */
final class ListRequests {

    private final boolean sharding;

    /** @param sharding whether they can be of ranges of objects; nobody reads that parameter otherwise */
    ListRequests(boolean sharding) {
        this.sharding = sharding;
    }

    /** @throws StatusException 400, 422 or 500, in the real server's words */
    ListQuery query(Call call, Target target) {
        checkMatch(call);
        try {
            String fields = call.parameter("fieldSelector");
            if (!target.name().isEmpty()) {
                fields = fields.isEmpty()
                        ? "metadata.name=" + target.name()
                        : fields + ",metadata.name=" + target.name();
            }
            call.number("timeoutSeconds", 0);
            return new ListQuery(
                    LabelSelector.parse(call.parameter("labelSelector")),
                    FieldSelector.parse(fields)
                            .supportedBy(
                                    target.resource().type().group(),
                                    target.resource().type().kind(),
                                    selectable(target)),
                    Math.max(0, call.number("limit", 0)),
                    call.parameter("continue"),
                    call.parameter("resourceVersion"),
                    call.parameter("resourceVersionMatch"),
                    shard(call));
        } catch (SelectorException e) {
            throw StatusException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** The real server reads it last, and takes an error in it for its own, with neither reason nor details. */
    private @Nullable ShardSelector shard(Call call) {
        String text = sharding ? call.parameter("shardSelector") : "";
        try {
            return text.isEmpty() ? null : ShardSelector.parse(text);
        } catch (SelectorException e) {
            throw new StatusException(500, "", "invalid shard selector: " + e.getMessage(), null);
        }
    }

    private static Set<String> selectable(Target target) {
        CustomVersion custom = target.resource().custom();
        return custom == null ? Set.of() : custom.selectableFields();
    }

    /** The rules of apimachinery's {@code ValidateListOptions}. */
    private static void checkMatch(Call call) {
        String match = call.parameter("resourceVersionMatch");
        String version = call.parameter("resourceVersion");
        boolean streaming = call.query().contains("sendInitialEvents");
        List<FieldCause> causes = new ArrayList<>();
        if (call.flag("watch")) {
            if (!match.isEmpty() && !streaming) {
                causes.add(FieldCause.forbidden(
                        "resourceVersionMatch",
                        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
            }
            if (streaming && !match.equals("NotOlderThan")) {
                causes.add(FieldCause.forbidden(
                        "resourceVersionMatch",
                        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
            }
            if (!match.isEmpty() && !match.equals("NotOlderThan")) {
                causes.add(FieldCause.unsupported("resourceVersionMatch", GoText.quote(match), "\"NotOlderThan\""));
            }
            if (!match.isEmpty() && !call.parameter("continue").isEmpty()) {
                causes.add(FieldCause.forbidden(
                        "resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"));
            }
        } else if (streaming) {
            causes.add(FieldCause.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        } else if (!match.isEmpty()) {
            checkListMatch(call, match, version, causes);
        }
        if (!causes.isEmpty()) {
            throw StatusException.invalid("meta.k8s.io", "ListOptions", "", causes);
        }
    }

    private static void checkListMatch(Call call, String match, String version, List<FieldCause> causes) {
        if (version.isEmpty()) {
            causes.add(FieldCause.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided"));
        }
        if (!call.parameter("continue").isEmpty()) {
            causes.add(FieldCause.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided"));
        }
        if (!List.of("Exact", "NotOlderThan").contains(match)) {
            causes.add(FieldCause.unsupported(
                    "resourceVersionMatch", GoText.quote(match), "\"Exact\", \"NotOlderThan\", \"\""));
        }
        if (match.equals("Exact") && version.equals("0")) {
            causes.add(FieldCause.forbidden(
                    "resourceVersionMatch", "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
        }
    }
}
