package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.storage.Metadata;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rules of Pods. One context, as it reads service accounts. */
public final class PodRules extends BuiltInRules {

    public static final RulesFile RULES = RulesFile.beside(PodRules.class, PodChecks.ALL, PodColumns.CELLS);

    private static final List<String> METADATA =
            List.of("labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp", "generation");

    private final @Nullable PodAccounts accounts;

    /** @param accounts finds a service account, and null for one that is not there; null where Pods need none */
    public PodRules(Facts facts, @Nullable Function<ObjectKey, @Nullable ObjectNode> accounts) {
        super(facts);
        this.accounts = accounts == null ? null : new PodAccounts(accounts);
    }

    @Override
    protected void fillDefaults(ObjectNode pod) {
        PodDefaults.requests(pod.path("spec"));
    }

    @Override
    public ObjectNode admit(ObjectNode pod) {
        ObjectNode admitted = PodAdmission.admit(pod);
        return accounts == null ? admitted : accounts.admit(admitted);
    }

    @Override
    protected ObjectNode initialStatus(ObjectNode pod) {
        JsonNode spec = pod.path("spec");
        ObjectNode status = super.initialStatus(pod).put("phase", "Pending").put("qosClass", qualityOfService(spec));
        return GatedPods.explain(spec, status);
    }

    @Override
    public void prepareForUpdate(ObjectNode pod, ObjectNode before, String subresource) {
        if (subresource.isEmpty()) {
            PodAdmission.tolerate(Fields.in(pod, "spec"));
        }
        super.prepareForUpdate(pod, before, subresource);
        switch (subresource) {
            case "status" -> keepGenerations(pod, before);
            case "ephemeralcontainers" -> {
                JsonNode added = pod.path("spec").path("ephemeralContainers").deepCopy();
                ObjectNode spec = before.path("spec").deepCopy();
                spec.remove("ephemeralContainers");
                part(pod, before, added.isMissingNode() ? spec : spec.set("ephemeralContainers", added));
            }
            case "resize" -> part(pod, before, Resizes.merged(pod.path("spec"), before.path("spec")));
            default -> {}
        }
    }

    /** A write of a part of the spec, which leaves all else alone. */
    private void part(ObjectNode pod, ObjectNode before, JsonNode spec) {
        pod.set("spec", spec);
        pod.set("status", before.get("status"));
        METADATA.forEach(
                field -> Metadata.of(pod).set(field, before.path("metadata").get(field)));
        count(pod, before);
    }

    /**
     * Who writes a status cannot forget which generation it was of, nor the class of service; owners are not told by
     * it.
     */
    private static void keepGenerations(ObjectNode pod, ObjectNode before) {
        Metadata.of(pod).set("ownerReferences", before.path("metadata").get("ownerReferences"));
        ObjectNode status = pod.withObject("/status");
        JsonNode old = before.path("status");
        if (status.path("qosClass").asText().isEmpty() && old.has("qosClass")) {
            status.set("qosClass", old.get("qosClass"));
        }
        keepGeneration(status, old);
        for (JsonNode condition : status.path("conditions")) {
            for (JsonNode known : old.path("conditions")) {
                if (condition instanceof ObjectNode now && now.path("type").equals(known.path("type"))) {
                    keepGeneration(now, known);
                }
            }
        }
    }

    private static void keepGeneration(ObjectNode now, JsonNode before) {
        if (now.path("observedGeneration").asLong() == 0 && before.has("observedGeneration")) {
            now.set("observedGeneration", before.get("observedGeneration"));
        }
    }

    @Override
    protected void check(Causes causes, ObjectNode pod, @Nullable ObjectNode before, String subresource) {
        JsonNode spec = pod.path("spec");
        if (before == null && spec.has("ephemeralContainers")) {
            causes.forbidden("spec.ephemeralContainers", "cannot be set on create");
        } else if (before != null && subresource.isEmpty()) {
            PodUpdates.check(causes, spec, before.path("spec"));
        } else if (before != null && subresource.equals("ephemeralcontainers")) {
            PodUpdates.checkEphemeral(causes, spec, before.path("spec"));
        } else if (before != null && subresource.equals("resize")) {
            Resizes.check(causes, pod, before);
        }
    }

    @Override
    public List<String> warnings(ObjectNode pod, @Nullable ObjectNode before) {
        return before == null ? PodWarnings.of(pod.path("spec"), "spec") : List.of();
    }

    @Override
    protected boolean checksTypes(String subresource) {
        return List.of("", "ephemeralcontainers", "resize").contains(subresource);
    }

    /** Guaranteed when each container's limits of cpu and memory are its requests, best effort when none has either. */
    public static String qualityOfService(JsonNode spec) {
        boolean any = false;
        boolean all = true;
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(list)) {
                JsonNode resources = container.path("resources");
                for (String resource : List.of("cpu", "memory")) {
                    JsonNode limit = resources.path("limits").path(resource);
                    JsonNode request = resources.path("requests").path(resource);
                    any |= !limit.isMissingNode() || !request.isMissingNode();
                    all &= !limit.isMissingNode() && limit.equals(request);
                }
            }
        }
        return !any ? "BestEffort" : all ? "Guaranteed" : "Burstable";
    }
}
