package io.busbar.blueprint.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.busbar.manifests.crd.Schemaless;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kind, and templates of what its instances are made of. Immutable, but for what is within.
 *
 * @param schema the kind, and the fields of its instances
 * @param resources templates of objects, and references to others
 * @param plans what can be done with an instance besides, such as a backup: a BlueprintRun asks for it
 * @param rollout how instances move to a new revision; all at once without it
 * @param serviceAccountName whose rights its instances are reconciled with, in the namespace that the operator takes
 *     accounts from
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BlueprintSpec(
        @Required @Schemaless Map<String, Object> schema,
        @Nullable @Schemaless List<Map<String, Object>> resources,
        @Nullable @Schemaless List<Map<String, Object>> plans,
        @Nullable Rollout rollout,
        @Nullable String serviceAccountName) {

    /**
     * How instances move to a new revision.
     *
     * @param paused whether none does
     * @param partition how many stay at the revision before, a number or a percentage
     * @param maxUnavailable how many may be on their way, or not ready after it, at once, a number or a percentage
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Rollout(
            @Nullable Boolean paused,
            @Nullable IntOrString partition,
            @Nullable IntOrString maxUnavailable) {}

    /** The same, as a revision keeps it: how instances get there is no part of it. */
    public BlueprintSpec withoutRollout() {
        return withRollout(null);
    }

    /** The same, with instances that get there in another way. */
    public BlueprintSpec withRollout(@Nullable Rollout how) {
        return new BlueprintSpec(schema, resources, plans, how, serviceAccountName);
    }
}
