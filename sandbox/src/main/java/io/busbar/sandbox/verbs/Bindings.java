package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes.ObjectKind;
import io.busbar.sandbox.request.Preconditions;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Puts a Pod on a node.
 *
 * <p>One context. Others have their say in the Binding, not in the Pod; who owns its node is not recorded.
 */
public final class Bindings {

    private static final ObjectKind BINDING = new ObjectKind("", "v1", "Binding");
    private static final GroupResource NAMED = GroupResource.core("pods/binding");

    private final Cluster cluster;
    private final Updates updates;
    private final Submissions submissions;

    Bindings(Cluster cluster, Updates updates, Submissions submissions) {
        this.cluster = cluster;
        this.updates = updates;
        this.submissions = submissions;
    }

    /**
     * @param binding not shared. The Pod gets its labels and annotations; its uid and resourceVersion, when it has
     *     them, must be the Pod's
     */
    public Future<Void> bind(Target target, WriteOptions options, ObjectNode binding) {
        return bind(target, target, options, binding);
    }

    /** @param request where it is posted: below the Pod, or among the Bindings of a namespace */
    public Future<Void> bind(Target request, Target target, WriteOptions options, ObjectNode binding) {
        return submissions.submit(
                request,
                options,
                BINDING,
                binding,
                body -> check(target, body),
                body -> carryOut(target, options, body));
    }

    private static void check(Target target, ObjectNode binding) {
        if (!Metadata.of(binding).name().equals(target.name())) {
            throw StatusException.badRequest("name in URL does not match name in Binding object");
        }
        JsonNode to = binding.path("target");
        List<FieldCause> causes = new ArrayList<>();
        String kind = to.path("kind").asText("");
        if (!kind.isEmpty() && !kind.equals("Node")) {
            causes.add(FieldCause.unsupported("target.kind", "\"" + kind + "\"", "\"Node\", \"<empty>\""));
        }
        if (to.path("name").asText("").isEmpty()) {
            causes.add(FieldCause.required("target.name", ""));
        }
        if (!causes.isEmpty()) {
            throw new StatusException(500, "", aggregate(causes), null);
        }
    }

    private static String aggregate(List<FieldCause> causes) {
        String all = causes.stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .collect(Collectors.joining(", "));
        return causes.size() == 1 ? all : "[" + all + "]";
    }

    private Future<Void> carryOut(Target target, WriteOptions options, ObjectNode binding) {
        Metadata of = Metadata.of(binding);
        Preconditions meant = new Preconditions(of.uid(), of.resourceVersion());
        updates.changeUnasked(target, options.dryRun(), pod -> {
            meant.check(target.resource(), pod);
            checkFree(target, pod);
            pod.withObject("/spec")
                    .put("nodeName", binding.path("target").path("name").asText());
            for (String field : List.of("annotations", "labels")) {
                if (binding.path("metadata").get(field) instanceof ObjectNode more && !more.isEmpty()) {
                    Metadata.of(pod).node().withObject("/" + field).setAll(more);
                }
            }
            Condition.set(pod, "PodScheduled", cluster.clock().instant());
        });
        return Future.succeededFuture();
    }

    private static void checkFree(Target target, ObjectNode pod) {
        String bound = pod.path("spec").path("nodeName").asText("");
        if (Metadata.of(pod).deleting()) {
            throw refused(target, " is being deleted, cannot be assigned to a host");
        }
        if (!bound.isEmpty()) {
            throw refused(target, " is already assigned to node \"" + bound + "\"");
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            throw refused(target, " has non-empty .spec.schedulingGates");
        }
    }

    private static StatusException refused(Target target, String why) {
        return StatusException.conflict(NAMED, target.name(), "pod " + target.name() + why);
    }
}
