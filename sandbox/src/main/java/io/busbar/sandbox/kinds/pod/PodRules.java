package io.busbar.sandbox.kinds.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.kinds.BuiltInRules;
import io.busbar.sandbox.kinds.Fields;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.status.Causes;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rules of Pods. One context, as it reads service accounts. */
public final class PodRules extends BuiltInRules {

    public static final RulesFile RULES = RulesFile.beside(PodRules.class, PodChecks.ALL);

    private final @Nullable PodAccounts accounts;

    /** @param accounts finds a service account, and null for one that is not there; null where Pods need none */
    public PodRules(Facts facts, @Nullable Function<ObjectKey, @Nullable ObjectNode> accounts) {
        super(facts);
        this.accounts = accounts == null ? null : new PodAccounts(accounts);
    }

    @Override
    protected void fillDefaults(ObjectNode pod) {
        PodDefaults.pod(Fields.in(pod, "spec"));
    }

    @Override
    public ObjectNode admit(ObjectNode pod) {
        ObjectNode admitted = PodAdmission.admit(pod);
        return accounts == null ? admitted : accounts.admit(admitted);
    }

    @Override
    protected ObjectNode initialStatus(ObjectNode pod) {
        return super.initialStatus(pod).put("phase", "Pending").put("qosClass", qualityOfService(pod.path("spec")));
    }

    @Override
    public void prepareForUpdate(ObjectNode pod, ObjectNode before, String subresource) {
        super.prepareForUpdate(pod, before, subresource);
        if (subresource.isEmpty()) {
            PodAdmission.tolerate(Fields.in(pod, "spec"));
        }
        if (subresource.equals("ephemeralcontainers")) {
            JsonNode added = pod.path("spec").path("ephemeralContainers").deepCopy();
            pod.set("spec", before.path("spec").deepCopy());
            pod.set("status", before.get("status"));
            ObjectNode spec = pod.withObject("/spec");
            if (added.isMissingNode()) {
                spec.remove("ephemeralContainers");
            } else {
                spec.set("ephemeralContainers", added);
            }
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
        }
    }

    @Override
    public List<String> warnings(ObjectNode pod, @Nullable ObjectNode before) {
        return before == null ? PodWarnings.of(pod.path("spec"), "spec") : List.of();
    }

    @Override
    protected boolean checksTypes(String subresource) {
        return subresource.isEmpty() || subresource.equals("ephemeralcontainers");
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
