package io.busbar.runtime.assembly;

import io.busbar.runtime.bundle.OperatorDefinition;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What an operator outside a cluster needs there: its kinds, its namespace, and accounts that it impersonates. Blocks. */
public final class Installation {

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("busbar")
            .withForce(true)
            .build();

    private static final String UNCONVERTED = "{\"spec\":{\"conversion\":{\"strategy\":\"None\",\"webhook\":null}}}";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Installation() {}

    /** Applies them, and waits until the kinds are served. */
    public static void install(KubernetesClient client, OperatorDefinition operator) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(operator.namespace())
                        .endMetadata()
                        .build())
                .patch(APPLY);
        operator.declaration()
                .accountObjects()
                .forEach(object -> client.resource(object).patch(APPLY));
        operator.crds().forEach(kind -> install(client, kind));
    }

    /** Applies one, and waits until the kind is served. */
    public static void install(KubernetesClient client, CustomResourceDefinition kind) {
        // What an operator that has gone registered: this apply would take a part of it away, which is refused.
        if (isConverted(client.resource(kind).get())) {
            client.resource(kind).patch(PatchContext.of(PatchType.JSON_MERGE), UNCONVERTED);
        }
        client.resource(kind).patch(APPLY);
        awaitEstablished(client.resource(kind));
    }

    /** Asks again and again: a watch of the client's complains in the log when the client is closed meanwhile. */
    private static void awaitEstablished(Resource<CustomResourceDefinition> kind) {
        long begun = System.nanoTime();
        while (!isEstablished(kind.get())) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new KubernetesClientException(kind.item().getMetadata().getName() + " is not established after "
                        + PATIENCE.toSeconds() + " s");
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static boolean isConverted(@Nullable CustomResourceDefinition definition) {
        return definition != null
                && definition.getSpec().getConversion() != null
                && "Webhook".equals(definition.getSpec().getConversion().getStrategy());
    }

    /** Whether its kind is served. A definition that is new has conditions null, literally, until it was looked at. */
    public static boolean isEstablished(@Nullable CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }
}
