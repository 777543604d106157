package io.busbar.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.patch.JsonEquality;
import io.busbar.admission.review.MalformedReviewException;
import java.util.Map;

/** Tells updates that change nothing but metadata: they store nothing that is not stored already. Pure; any thread. */
final class MetadataChange {

    private static final String METADATA = "metadata";

    private MetadataChange() {}

    /** The same of an object that is being deleted, as who removes their finalizer does. */
    static boolean isOnWayOut(AdmissionRequest request) {
        return request.operation() == AdmissionRequest.Operation.UPDATE
                && request.metadata().has("deletionTimestamp")
                && isAll(request);
    }

    static boolean isAll(AdmissionRequest request) {
        if (request.operation() != AdmissionRequest.Operation.UPDATE) {
            return false;
        }
        try {
            ObjectNode after = request.object();
            ObjectNode before = request.oldObject();
            return after != null && before != null && sameBut(before, after);
        } catch (MalformedReviewException unreadable) {
            return false;
        }
    }

    private static boolean sameBut(ObjectNode before, ObjectNode after) {
        return holds(before, after) && holds(after, before);
    }

    private static boolean holds(ObjectNode one, ObjectNode members) {
        for (Map.Entry<String, JsonNode> member : members.properties()) {
            JsonNode other = one.get(member.getKey());
            if (!member.getKey().equals(METADATA) && (other == null || !JsonEquality.same(other, member.getValue()))) {
                return false;
            }
        }
        return true;
    }
}
