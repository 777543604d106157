package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.HostPathVolumeSource;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Realises the volumes of a Pod as folders of the machine: those of ConfigMaps and Secrets are written anew each time. The tokens of
 * projected volumes are left out. One thread; blocks.
 *
 * @param folder of the Pod
 * @param claimMegabytes how much the volume of a claim is to hold, when it is new; 0 for no limit
 */
record Volumes(References references, ClaimVolumes claims, Path folder, int claimMegabytes) {

    private static final Set<String> MADE_WHEN_MISSING = Set.of("", "DirectoryOrCreate");

    /** A disk is mounted on the folder in the container's namespace only. */
    ClaimVolumes.Volume of(Volume volume) throws IOException, MissingReferenceException {
        if (volume.getPersistentVolumeClaim() != null) {
            String claim = volume.getPersistentVolumeClaim().getClaimName();
            return claims.of(references.claim(claim).getMetadata().getUid(), claimMegabytes);
        }
        return new ClaimVolumes.Volume(plain(volume), Optional.empty());
    }

    private Path plain(Volume volume) throws IOException, MissingReferenceException {
        if (volume.getHostPath() != null) {
            return host(volume.getHostPath());
        }
        Path files = Files.createDirectories(folder.resolve("volumes").resolve(volume.getName()));
        if (volume.getConfigMap() != null) {
            String name = volume.getConfigMap().getName();
            write(
                    files,
                    required(references.configMap(name), volume.getConfigMap().getOptional(), "configmap", name),
                    volume.getConfigMap().getItems());
        } else if (volume.getSecret() != null) {
            String name = volume.getSecret().getSecretName();
            write(
                    files,
                    required(references.secret(name), volume.getSecret().getOptional(), "secret", name),
                    volume.getSecret().getItems());
        } else if (volume.getProjected() != null) {
            for (VolumeProjection source : volume.getProjected().getSources()) {
                project(files, source);
            }
        } else if (volume.getEmptyDir() == null) {
            throw new IllegalArgumentException("no such kind of volume here: " + volume);
        }
        return files;
    }

    private void project(Path files, VolumeProjection source) throws IOException, MissingReferenceException {
        if (source.getConfigMap() != null) {
            String name = source.getConfigMap().getName();
            write(
                    files,
                    required(references.configMap(name), source.getConfigMap().getOptional(), "configmap", name),
                    source.getConfigMap().getItems());
        } else if (source.getSecret() != null) {
            String name = source.getSecret().getName();
            write(
                    files,
                    required(references.secret(name), source.getSecret().getOptional(), "secret", name),
                    source.getSecret().getItems());
        }
    }

    private static Path host(HostPathVolumeSource source) throws IOException, MissingReferenceException {
        Path path = Path.of(source.getPath());
        if (MADE_WHEN_MISSING.contains(source.getType() == null ? "" : source.getType())) {
            return Files.createDirectories(path);
        }
        if (!Files.exists(path)) {
            throw new MissingReferenceException("hostPath " + path + " does not exist");
        }
        return path;
    }

    private static Map<String, byte[]> required(
            Optional<Map<String, byte[]>> content, Boolean optional, String kind, String name)
            throws MissingReferenceException {
        if (content.isEmpty() && !Boolean.TRUE.equals(optional)) {
            throw new MissingReferenceException(kind + " \"" + name + "\" not found");
        }
        return content.orElse(Map.of());
    }

    /** @param items none for all keys under their own names */
    private static void write(Path files, Map<String, byte[]> content, List<KeyToPath> items)
            throws IOException, MissingReferenceException {
        if (items.isEmpty()) {
            for (Map.Entry<String, byte[]> entry : content.entrySet()) {
                Files.write(files.resolve(entry.getKey()), entry.getValue());
            }
        }
        for (KeyToPath item : items) {
            byte[] value = content.get(item.getKey());
            if (value == null) {
                throw new MissingReferenceException("references non-existent config key: " + item.getKey());
            }
            Path file = files.resolve(item.getPath());
            Files.createDirectories(file.getParent());
            Files.write(file, value);
        }
    }
}
