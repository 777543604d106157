package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.api.FirstRefusal;
import io.busbar.common.condition.Conditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Instances of a kind that no controller looks at, as their Blueprint does not run: a condition tells those why that
 * are new, or have changed since. Nothing else of their status is written: they are as new to a controller that comes.
 * One that another tool keeps is left alone.
 *
 * <p>Any thread; blocks.
 */
public final class UnservedInstances {

    private final KubernetesClient client;
    private final KubernetesSerialization serialization;
    private final ResourceType type;
    private final InstantSource clock;
    private final int most;

    /**
     * What has come of it.
     *
     * @param all whether all of them have been looked at, or all that come after the one to go on after
     * @param last to go on after the next time; empty to begin anew
     * @param refused how many could not be told
     * @param refusal of the first of these
     */
    public record Outcome(
            boolean all, Optional<ObjectKey> last, int refused, Optional<KubernetesClientException> refusal) {}

    /**
     * @param client with the rights of the Blueprint's account
     * @param most so many are told, or refused, at a time
     */
    public UnservedInstances(KubernetesClient client, ResourceType type, InstantSource clock, int most) {
        this.client = client;
        this.serialization = client.getKubernetesSerialization();
        this.type = type;
        this.clock = clock;
        this.most = most;
    }

    /**
     * Tells them, where they do not say so yet. One that is refused keeps no other one.
     *
     * @param after the last one of the time before: only those are told that come after it. Where it has gone, none is,
     *     and the next time begins anew
     * @throws KubernetesClientException when they may not be listed, or the API server can tell nobody now: it would
     *     have each of them wait
     */
    public Outcome tell(String why, Optional<ObjectKey> after) {
        Round round = new Round(why, after);
        Pages.visit(client.genericKubernetesResources(type.clientContext()).inAnyNamespace(), round::goesOnAfter);
        return new Outcome(
                round.hasBegun && round.last.isEmpty(), round.last, round.refusal.count(), round.refusal.first());
    }

    private final class Round {

        private final String why;
        private final Optional<ObjectKey> after;
        private boolean hasBegun;
        private Optional<ObjectKey> last = Optional.empty();
        private int told;
        private final FirstRefusal refusal = new FirstRefusal();

        Round(String why, Optional<ObjectKey> after) {
            this.why = why;
            this.after = after;
            this.hasBegun = after.isEmpty();
        }

        boolean goesOnAfter(GenericKubernetesResource instance) {
            ObjectKey key = ObjectKey.of(instance);
            if (!hasBegun) {
                hasBegun = after.filter(key::equals).isPresent();
                return true;
            }
            if (ApplySet.otherTool(instance).isPresent()) {
                return true;
            }
            JsonNode json = serialization.convertValue(instance, JsonNode.class);
            if (isUnseen(json)) {
                refusal.attempt(() -> tell(json));
            }
            if (told >= most || refusal.count() >= most) {
                last = Optional.of(key);
            }
            return last.isEmpty();
        }

        /** Not where somebody has changed it, such as its controller, which is there by now. */
        private void tell(JsonNode instance) {
            List<Condition> before = InstanceStatus.conditions(instance.path("status"), serialization);
            List<Condition> now = Conditions.of(
                            before, instance.at("/metadata/generation").asLong(), clock.instant())
                    .with(InstanceStatus.UNSERVED, why)
                    .list();
            if (now.equals(before)) {
                return;
            }
            Object patch = Map.of(
                    "metadata",
                    Map.of("resourceVersion", instance.at("/metadata/resourceVersion")),
                    "status",
                    Map.of("conditions", now));
            try {
                client.genericKubernetesResources(type.clientContext())
                        .resource(serialization.convertValue(instance, GenericKubernetesResource.class))
                        .subresource("status")
                        .patch(PatchContext.of(PatchType.JSON_MERGE), serialization.asJson(patch));
            } catch (KubernetesClientException answer) {
                if (answer.getCode() != HttpURLConnection.HTTP_CONFLICT
                        && answer.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                    throw answer;
                }
            }
            told++;
        }
    }

    private static boolean isUnseen(JsonNode instance) {
        return instance.at("/status/observedGeneration").asLong()
                < instance.at("/metadata/generation").asLong();
    }
}
