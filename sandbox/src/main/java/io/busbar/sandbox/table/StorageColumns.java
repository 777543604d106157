package io.busbar.sandbox.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Columns of claims and their volumes. Any thread. */
final class StorageColumns {

    private static final Map<String, String> MODES =
            Map.of("ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");

    /** By plural and group. */
    static final Map<String, List<Column>> ALL = Map.of(
            "persistentvolumeclaims",
            List.of(
                    Column.NAME,
                    Column.text("Status", StorageColumns::phase),
                    Column.text("Volume", at("/spec/volumeName")),
                    Column.text("Capacity", at("/status/capacity/storage")),
                    Column.text("Access Modes", claim -> modes(claim.at("/status/accessModes"))),
                    Column.text("StorageClass", at("/spec/storageClassName")),
                    Column.AGE,
                    Column.text("VolumeMode", at("/spec/volumeMode")).wide()),
            "persistentvolumes",
            List.of(
                    Column.NAME,
                    Column.text("Capacity", at("/spec/capacity/storage")),
                    Column.text("Access Modes", volume -> modes(volume.at("/spec/accessModes"))),
                    Column.text("Reclaim Policy", at("/spec/persistentVolumeReclaimPolicy")),
                    Column.text("Status", StorageColumns::phase),
                    Column.text("Claim", StorageColumns::claim),
                    Column.text("StorageClass", at("/spec/storageClassName")),
                    Column.text("Reason", at("/status/reason")),
                    Column.AGE,
                    Column.text("VolumeMode", at("/spec/volumeMode")).wide()));

    private StorageColumns() {}

    private static String phase(ObjectNode object) {
        return object.path("metadata").has("deletionTimestamp")
                ? "Terminating"
                : object.at("/status/phase").asText();
    }

    private static String modes(JsonNode modes) {
        return StreamSupport.stream(modes.spliterator(), false)
                .map(JsonNode::asText)
                .map(mode -> MODES.getOrDefault(mode, mode))
                .collect(Collectors.joining(","));
    }

    private static String claim(ObjectNode volume) {
        JsonNode claim = volume.at("/spec/claimRef");
        return claim.isObject()
                ? claim.path("namespace").asText() + "/" + claim.path("name").asText()
                : "";
    }

    private static Function<ObjectNode, String> at(String pointer) {
        return object -> object.at(pointer).asText("");
    }
}
