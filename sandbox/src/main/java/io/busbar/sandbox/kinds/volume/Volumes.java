package io.busbar.sandbox.kinds.volume;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.StoreEvent;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells what has become of a volume, and deletes one that was made for a claim that is gone.
 *
 * <p>One context.
 */
public final class Volumes {

    private final ControllerContext context;
    private final Writes writes;

    private Volumes(ControllerContext context) {
        this.context = context;
        this.writes = Writes.of(context);
    }

    public static ControllerLoop start(ControllerContext context) {
        return new ControllerLoop(context, Kind.VOLUME, new Volumes(context)::sync)
                .watches(Kind.CLAIM, Volumes::claimGone);
    }

    private static List<ObjectKey> claimGone(StoreEvent event) {
        String volume = event.object().path("spec").path("volumeName").asText();
        return event.type() == StoreEvent.Type.DELETED && !volume.isEmpty() ? List.of(ObjectKey.of(volume)) : List.of();
    }

    private Future<@Nullable Duration> sync(ObjectNode volume) {
        String phase = phase(volume);
        boolean goes = phase.equals("Released")
                && VolumeClaims.isProvisioned(volume)
                && volume.path("spec")
                        .path("persistentVolumeReclaimPolicy")
                        .asText()
                        .equals("Delete");
        Future<?> done = goes
                ? writes.delete(Kind.VOLUME, volume, "")
                : writes.updateStatus(Kind.VOLUME, volume, status -> status.put("phase", phase));
        return done.map(written -> null);
    }

    private String phase(ObjectNode volume) {
        JsonNode reference = volume.path("spec").path("claimRef");
        String name = reference.path("name").asText();
        if (name.isEmpty()) {
            return "Available";
        }
        ObjectNode claim = context.store()
                .get(
                        Kind.CLAIM.resource(),
                        ObjectKey.of(reference.path("namespace").asText(), name));
        return claim != null
                        && Metadata.of(claim).uid().equals(reference.path("uid").asText())
                ? "Bound"
                : "Released";
    }
}
