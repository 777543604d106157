package io.busbar.operator.sidecarset.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMapVolumeSource;
import io.fabric8.kubernetes.api.model.EmptyDirVolumeSource;
import io.fabric8.kubernetes.api.model.HostPathVolumeSource;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimVolumeSource;
import io.fabric8.kubernetes.api.model.ProjectedVolumeSource;
import io.fabric8.kubernetes.api.model.SecretVolumeSource;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What volumes must be for a Pod to have them; of their sources, the common ones.
 *
 * <p>Pure functions, any thread. Source: core/v1's validation of Pods.
 */
final class VolumeRules {

    private static final int MAX_MODE = 0777;
    private static final ObjectMapper JSON = new ObjectMapper();

    private VolumeRules() {}

    static void check(Field spec, List<Volume> volumes) {
        Set<String> names = new HashSet<>();
        spec.<Volume>each("volumes", volumes, (at, volume) -> {
            at.child("name").text(volume.getName(), Names::dnsLabel);
            if (!names.add(String.valueOf(volume.getName()))) {
                at.child("name").duplicate(String.valueOf(volume.getName()));
            }
            oneSource(at, volume);
            sources(at, volume);
        });
    }

    private static void oneSource(Field at, Volume volume) {
        JsonNode tree = JSON.valueToTree(volume);
        int sources = tree.size() - (tree.has("name") ? 1 : 0);
        if (sources == 0) {
            at.required("must specify a volume type");
        } else if (sources > 1) {
            at.forbidden("may not specify more than 1 volume type");
        }
    }

    private static void sources(Field at, Volume volume) {
        HostPathVolumeSource host = volume.getHostPath();
        if (host != null) {
            at.child("hostPath").child("path").text(host.getPath(), Names::noBackstep);
            at.child("hostPath")
                    .child("type")
                    .optionalOneOf(
                            host.getType(),
                            "",
                            "DirectoryOrCreate",
                            "Directory",
                            "FileOrCreate",
                            "File",
                            "Socket",
                            "CharDevice",
                            "BlockDevice");
        }
        EmptyDirVolumeSource empty = volume.getEmptyDir();
        if (empty != null && empty.getSizeLimit() != null) {
            ResourceRules.amount(at.child("emptyDir").child("sizeLimit"), empty.getSizeLimit());
        }
        ConfigMapVolumeSource map = volume.getConfigMap();
        if (map != null) {
            at.child("configMap").child("name").hasText(map.getName());
            at.child("configMap").child("defaultMode").between(map.getDefaultMode(), 0, MAX_MODE);
        }
        SecretVolumeSource secret = volume.getSecret();
        if (secret != null) {
            at.child("secret").child("secretName").hasText(secret.getSecretName());
            at.child("secret").child("defaultMode").between(secret.getDefaultMode(), 0, MAX_MODE);
        }
        PersistentVolumeClaimVolumeSource claim = volume.getPersistentVolumeClaim();
        if (claim != null) {
            at.child("persistentVolumeClaim").child("claimName").hasText(claim.getClaimName());
        }
        ProjectedVolumeSource projected = volume.getProjected();
        if (projected != null) {
            at.child("projected").child("defaultMode").between(projected.getDefaultMode(), 0, MAX_MODE);
        }
    }
}
