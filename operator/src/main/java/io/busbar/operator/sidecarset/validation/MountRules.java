package io.busbar.operator.sidecarset.validation;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeDevice;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What a container's mounts and devices must be, beside the set's volumes. Pure functions, any thread. */
final class MountRules {

    private MountRules() {}

    static void check(Field container, Container object, Map<String, Volume> volumes) {
        Set<String> paths = new HashSet<>();
        Set<String> mounted = new HashSet<>();
        container.<VolumeMount>each("volumeMounts", object.getVolumeMounts(), (at, mount) -> {
            volume(at.child("name"), mount.getName(), volumes);
            mounted.add(String.valueOf(mount.getName()));
            path(at.child("mountPath"), mount.getMountPath(), paths);
            at.child("subPath").optionalText(mount.getSubPath(), Names::descendingPath);
            at.child("subPathExpr").optionalText(mount.getSubPathExpr(), Names::descendingPath);
            if (isText(mount.getSubPath()) && isText(mount.getSubPathExpr())) {
                at.child("subPathExpr")
                        .invalid(mount.getSubPathExpr(), "subPathExpr and subPath are mutually exclusive");
            }
            propagation(at.child("mountPropagation"), mount.getMountPropagation(), object.getSecurityContext());
            at.child("recursiveReadOnly")
                    .optionalOneOf(mount.getRecursiveReadOnly(), "Disabled", "IfPossible", "Enabled");
        });
        Set<String> devices = new HashSet<>();
        container.<VolumeDevice>each("volumeDevices", object.getVolumeDevices(), (at, device) -> {
            Volume volume = volume(at.child("name"), device.getName(), volumes) ? volumes.get(device.getName()) : null;
            if (volume != null && volume.getPersistentVolumeClaim() == null && volume.getEphemeral() == null) {
                at.child("name")
                        .invalid(
                                device.getName(),
                                "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
            }
            if (mounted.contains(device.getName())) {
                at.child("name").invalid(device.getName(), "must not already exist in volumeMounts");
            }
            if (!devices.add(String.valueOf(device.getName()))) {
                at.child("name").invalid(device.getName(), "must be unique");
            }
            path(at.child("devicePath"), device.getDevicePath(), paths);
            at.child("devicePath").optionalText(device.getDevicePath(), Names::noBackstep);
        });
    }

    private static boolean volume(Field name, String volume, Map<String, Volume> volumes) {
        if (!name.hasText(volume)) {
            return false;
        }
        if (!volumes.containsKey(volume)) {
            name.notFound(volume);
        }
        return volumes.containsKey(volume);
    }

    /** Two things of a container cannot be at the same path. */
    private static void path(Field at, String path, Set<String> taken) {
        if (at.hasText(path) && !taken.add(path)) {
            at.invalid(path, "must be unique");
        }
    }

    private static void propagation(Field at, String propagation, SecurityContext security) {
        at.optionalOneOf(propagation, "None", "HostToContainer", "Bidirectional");
        boolean privileged = security != null && Boolean.TRUE.equals(security.getPrivileged());
        if ("Bidirectional".equals(propagation) && !privileged) {
            at.forbidden("Bidirectional mount propagation is available only to privileged containers");
        }
    }

    private static boolean isText(String text) {
        return text != null && !text.isEmpty();
    }
}
