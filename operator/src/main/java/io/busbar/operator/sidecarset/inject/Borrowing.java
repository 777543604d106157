package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.operator.sidecarset.v1beta1.ShareVolumePolicy;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.TransferEnvVar;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a sidecar gets from the Pod's own containers: their mounts, their devices, and some of their variables.
 *
 * <p>Immutable. What the sidecar has itself wins, whether by path or by name. Source of the rules: OpenKruise.
 */
record Borrowing(boolean mounts, boolean devices, List<EnvTransfer> transfers) {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\(([^)]+)\\)");

    Borrowing {
        transfers = List.copyOf(transfers);
    }

    static Borrowing of(SidecarContainer item) {
        List<TransferEnvVar> transfers = item.getTransferEnv();
        return new Borrowing(
                enabled(item.getShareVolumePolicy()),
                enabled(item.getShareVolumeDevicePolicy()),
                transfers == null
                        ? List.of()
                        : transfers.stream().map(EnvTransfer::of).toList());
    }

    boolean isNone() {
        return !mounts && !devices && transfers.isEmpty();
    }

    /** A copy of a sidecar's container with what it borrows from this Pod. */
    ObjectNode added(ObjectNode container, AppContainers app) {
        ObjectNode copy = container.deepCopy();
        if (mounts) {
            addMounts(copy, app);
        }
        if (devices) {
            app.containers().forEach(lender -> addMissing(copy, lender, "volumeDevices", "devicePath"));
        }
        transfers.forEach(transfer -> transfer.from(app).forEach(variable -> addVariable(copy, variable)));
        return copy;
    }

    /** A mount may need variables of the container that it comes from. */
    private static void addMounts(ObjectNode container, AppContainers app) {
        for (JsonNode lender : app.containers()) {
            for (JsonNode mount : addMissing(container, lender, "volumeMounts", "mountPath")) {
                Matcher names = VARIABLE.matcher(mount.path("subPathExpr").asText());
                while (names.find()) {
                    Optional<JsonNode> variable = AppContainers.variable(lender, names.group(1));
                    variable.ifPresent(found -> addVariable(container, found));
                }
            }
        }
    }

    /** Returns what was added. */
    private static List<JsonNode> addMissing(ObjectNode container, JsonNode lender, String list, String identity) {
        if (lender.path(list).isEmpty()) {
            return List.of();
        }
        ArrayNode own = container.withArrayProperty(list);
        Set<String> known = new HashSet<>();
        own.forEach(item -> known.add(item.path(identity).asText()));
        List<JsonNode> added = new ArrayList<>();
        for (JsonNode item : lender.path(list)) {
            if (known.add(item.path(identity).asText())) {
                own.add(item);
                added.add(item);
            }
        }
        return added;
    }

    private static void addVariable(ObjectNode container, JsonNode variable) {
        String name = variable.path("name").asText();
        if (AppContainers.variable(container, name).isEmpty()) {
            container.withArrayProperty("env").add(variable);
        }
    }

    private static boolean enabled(@Nullable ShareVolumePolicy policy) {
        return policy != null && ShareVolumePolicy.ENABLED.equals(policy.type());
    }
}
