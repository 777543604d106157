package io.busbar.admission.review;

import io.busbar.admission.AdmissionRequest.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@link ReviewReader} has found so far. One context. */
final class ReviewFields {

    String apiVersion = "";
    String uid = "";
    String group = "";
    String kind = "";
    String resource = "";
    String subResource = "";
    String namespace = "";
    String name = "";
    Operation operation = Operation.CONNECT;
    boolean operationKnown;
    boolean dryRun;
    String username = "";
    List<String> groups = List.of();

    @Nullable
    ReviewedObject object;

    @Nullable
    ReviewedObject oldObject;
}
