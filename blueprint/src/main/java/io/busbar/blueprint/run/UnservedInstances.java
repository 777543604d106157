package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.common.ResourceType;
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
 *
 * <p>Any thread; blocks.
 */
public final class UnservedInstances {

    private final KubernetesClient client;
    private final KubernetesSerialization serialization;
    private final ResourceType type;
    private final InstantSource clock;

    /** @param client with the rights of the Blueprint's account */
    public UnservedInstances(KubernetesClient client, ResourceType type, InstantSource clock) {
        this.client = client;
        this.serialization = client.getKubernetesSerialization();
        this.type = type;
        this.clock = clock;
    }

    /**
     * Tells them, where they do not say so yet.
     *
     * @throws KubernetesClientException for want of a right
     */
    public void tell(String why) {
        Pages.find(
                        client.genericKubernetesResources(type.clientContext()).inAnyNamespace(),
                        instance -> Optional.of(serialization.convertValue(instance, JsonNode.class))
                                .filter(UnservedInstances::isUnseen))
                .forEach(instance -> tell(instance, why));
    }

    private static boolean isUnseen(JsonNode instance) {
        return instance.at("/status/observedGeneration").asLong()
                < instance.at("/metadata/generation").asLong();
    }

    /** Not where somebody has changed it, such as its controller, which is there by now. */
    private void tell(JsonNode instance, String why) {
        List<Condition> before = InstanceStatus.conditions(instance.path("status"), serialization);
        List<Condition> now = Conditions.of(
                        before, instance.at("/metadata/generation").asLong(), clock.instant())
                .with(InstanceStatus.UNSERVED, Conditions.cut(why))
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
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT
                    && refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw refused;
            }
        }
    }
}
