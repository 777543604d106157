package io.busbar.sandbox.kinds.volume;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.sandbox.controller.ControllerContext;
import io.busbar.sandbox.controller.ControllerLoop;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.Writes;
import io.busbar.sandbox.storage.Metadata;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Makes the volume of a claim, binds them, and lets it grow.
 *
 * <p>One context.
 */
public final class VolumeClaims {

    private static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    private final ControllerContext context;
    private final Writes writes;

    private VolumeClaims(ControllerContext context) {
        this.context = context;
        this.writes = Writes.of(context);
    }

    public static ControllerLoop start(ControllerContext context) {
        return new ControllerLoop(context, Kind.CLAIM, new VolumeClaims(context)::sync);
    }

    static boolean isProvisioned(ObjectNode volume) {
        return volume.path("metadata")
                .path("annotations")
                .path(PROVISIONED_BY)
                .asText()
                .equals(FakeClass.PROVISIONER);
    }

    private Future<@Nullable Duration> sync(ObjectNode claim) {
        if (Metadata.of(claim).deleting() || !isOurs(claim)) {
            return Future.succeededFuture();
        }
        return volume(claim)
                .compose(volume -> grow(claim, volume))
                .compose(volume -> bind(claim, volume))
                .compose(bound -> writes.updateStatus(Kind.CLAIM, bound, status -> {
                    status.put("phase", "Bound");
                    status.set(
                            "accessModes",
                            bound.path("spec").path("accessModes").deepCopy());
                    status.putObject("capacity").set("storage", storage(bound));
                }))
                .map(done -> null);
    }

    private boolean isOurs(ObjectNode claim) {
        String name = claim.path("spec").path("storageClassName").asText();
        ObjectNode found =
                name.isEmpty() ? null : context.store().get(Kind.STORAGE_CLASS.resource(), ObjectKey.of(name));
        return found != null && found.path("provisioner").asText().equals(FakeClass.PROVISIONER);
    }

    private Future<ObjectNode> volume(ObjectNode claim) {
        String name = "pvc-" + Metadata.of(claim).uid();
        ObjectNode volume = context.store().get(Kind.VOLUME.resource(), ObjectKey.of(name));
        return volume == null
                ? context.store().create(Kind.VOLUME.resource(), newVolume(name, claim))
                : Future.succeededFuture(volume);
    }

    private Future<ObjectNode> grow(ObjectNode claim, ObjectNode volume) {
        return writes.update(
                Kind.VOLUME,
                volume,
                changed -> changed.withObject("/spec").withObject("/capacity").set("storage", storage(claim)));
    }

    private Future<ObjectNode> bind(ObjectNode claim, ObjectNode volume) {
        return writes.update(Kind.CLAIM, claim, changed -> {
            changed.withObject("/spec").put("volumeName", Metadata.of(volume).name());
            changed.withObject("/metadata")
                    .withObject("/annotations")
                    .put("pv.kubernetes.io/bind-completed", "yes")
                    .put("pv.kubernetes.io/bound-by-controller", "yes")
                    .put("volume.beta.kubernetes.io/storage-provisioner", FakeClass.PROVISIONER)
                    .put("volume.kubernetes.io/storage-provisioner", FakeClass.PROVISIONER);
        });
    }

    private static JsonNode storage(ObjectNode claim) {
        return claim.path("spec").path("resources").path("requests").path("storage");
    }

    private static ObjectNode newVolume(String name, ObjectNode claim) {
        JsonNode wanted = claim.path("spec");
        ObjectNode volume = JsonNodeFactory.instance.objectNode();
        volume.put("kind", Kind.VOLUME.name()).put("apiVersion", Kind.VOLUME.apiVersion());
        volume.putObject("metadata")
                .put("name", name)
                .putObject("annotations")
                .put(PROVISIONED_BY, FakeClass.PROVISIONER);
        ObjectNode spec = volume.putObject("spec");
        spec.putObject("capacity").set("storage", storage(claim));
        spec.set("accessModes", wanted.path("accessModes").deepCopy());
        spec.set("volumeMode", wanted.path("volumeMode"));
        spec.set("storageClassName", wanted.path("storageClassName"));
        spec.put("persistentVolumeReclaimPolicy", "Delete");
        spec.putObject("hostPath").put("path", "/nonexistent");
        spec.putObject("claimRef")
                .put("apiVersion", Kind.CLAIM.apiVersion())
                .put("kind", Kind.CLAIM.name())
                .put("namespace", Metadata.of(claim).namespace())
                .put("name", Metadata.of(claim).name())
                .put("uid", Metadata.of(claim).uid());
        return volume;
    }
}
