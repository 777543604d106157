package io.busbar.sandbox.kinds.volume;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.Pods;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a deleted claim go when no Pod uses it any more.
 *
 * <p>One context. All Pods of the namespace are looked through, and only for a claim that is being deleted.
 */
public final class ClaimProtection {

    private final ControllerContext context;

    private ClaimProtection(ControllerContext context) {
        this.context = context;
    }

    public static ControllerLoop start(ControllerContext context) {
        return new ControllerLoop(context, Kind.CLAIM, new ClaimProtection(context)::sync)
                .watches(Kind.POD, ClaimProtection::podGone);
    }

    private static List<ObjectKey> podGone(StoreEvent event) {
        boolean gone = event.type() == StoreEvent.Type.DELETED || Pods.isEnded(event.object());
        return gone ? claims(event.object()) : List.of();
    }

    private static List<ObjectKey> claims(ObjectNode pod) {
        List<ObjectKey> claims = new ArrayList<>();
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            String claim =
                    volume.path("persistentVolumeClaim").path("claimName").asText();
            if (!claim.isEmpty()) {
                claims.add(ObjectKey.of(Metadata.of(pod).namespace(), claim));
            }
        }
        return claims;
    }

    private Future<@Nullable Duration> sync(ObjectNode claim) {
        Metadata metadata = Metadata.of(claim);
        if (!metadata.deleting() || !metadata.finalizers().contains(ClaimRules.PROTECTION) || isUsed(metadata)) {
            return Future.succeededFuture();
        }
        return Writes.of(context)
                .update(Kind.CLAIM, claim, changed -> {
                    List<String> finalizers =
                            new ArrayList<>(Metadata.of(changed).finalizers());
                    finalizers.remove(ClaimRules.PROTECTION);
                    Metadata.of(changed).finalizers(finalizers);
                })
                .map(done -> null);
    }

    private boolean isUsed(Metadata claim) {
        return context.store().list(Kind.POD.resource(), claim.namespace()).stream()
                .anyMatch(pod -> !Pods.isEnded(pod) && claims(pod).contains(claim.key()));
    }
}
