package io.busbar.operator.mysqlcluster.bed;

import io.fabric8.kubernetes.api.model.ConfigMapProjection;
import io.fabric8.kubernetes.api.model.ConfigMapVolumeSource;
import io.fabric8.kubernetes.api.model.HostPathVolumeSource;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.SecretProjection;
import io.fabric8.kubernetes.api.model.SecretVolumeSource;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Realises the volumes of a Pod as folders of the machine: those of ConfigMaps and Secrets are written anew each time.
 * The tokens of projected volumes are left out. One thread; blocks.
 *
 * @param folder of the Pod
 * @param claimMegabytes how much the volume of a claim is to hold, when it is new; 0 for no limit
 */
record Volumes(References references, ClaimVolumes claims, Path folder, int claimMegabytes) {

    private static final Set<String> MADE_WHEN_MISSING = Set.of("", "DirectoryOrCreate");

    ClaimVolumes.Volume of(Volume volume) throws IOException, MissingReferenceException {
        if (volume.getPersistentVolumeClaim() != null) {
            String claim = volume.getPersistentVolumeClaim().getClaimName();
            return claims.of(references.claim(claim), claimMegabytes);
        }
        return new ClaimVolumes.Volume(
                volume.getHostPath() != null ? host(volume.getHostPath()) : own(volume), Optional.empty());
    }

    private static Path host(HostPathVolumeSource source) throws IOException, MissingReferenceException {
        Path path = Path.of(source.getPath());
        if (MADE_WHEN_MISSING.contains(Objects.requireNonNullElse(source.getType(), ""))) {
            return Files.createDirectories(path);
        }
        if (!Files.exists(path)) {
            throw new MissingReferenceException("hostPath " + path + " does not exist");
        }
        return path;
    }

    private Path own(Volume volume) throws IOException, MissingReferenceException {
        Path files = Files.createDirectories(folder.resolve("volumes").resolve(volume.getName()));
        if (volume.getConfigMap() != null) {
            ConfigMapVolumeSource source = volume.getConfigMap();
            write(
                    files,
                    references.configMap(source.getName(), source.getOptional()),
                    source.getItems(),
                    source.getOptional());
        } else if (volume.getSecret() != null) {
            SecretVolumeSource source = volume.getSecret();
            write(
                    files,
                    references.secret(source.getSecretName(), source.getOptional()),
                    source.getItems(),
                    source.getOptional());
        } else if (volume.getProjected() != null) {
            for (VolumeProjection projection : volume.getProjected().getSources()) {
                project(files, projection);
            }
        } else if (volume.getEmptyDir() == null) {
            throw new IllegalArgumentException("no such kind of volume here: " + volume);
        }
        return files;
    }

    private void project(Path files, VolumeProjection projection) throws IOException, MissingReferenceException {
        if (projection.getConfigMap() != null) {
            ConfigMapProjection source = projection.getConfigMap();
            write(
                    files,
                    references.configMap(source.getName(), source.getOptional()),
                    source.getItems(),
                    source.getOptional());
        } else if (projection.getSecret() != null) {
            SecretProjection source = projection.getSecret();
            write(
                    files,
                    references.secret(source.getName(), source.getOptional()),
                    source.getItems(),
                    source.getOptional());
        }
    }

    /**
     * @param items none for all keys under their own names
     * @param optional whether one that is not there is left out
     */
    private static void write(
            Path files, Map<String, byte[]> content, List<KeyToPath> items, @Nullable Boolean optional)
            throws IOException, MissingReferenceException {
        if (items.isEmpty()) {
            for (Map.Entry<String, byte[]> entry : content.entrySet()) {
                write(files.resolve(entry.getKey()), entry.getValue());
            }
        }
        for (KeyToPath item : items) {
            byte[] value = content.get(item.getKey());
            if (value == null && !Boolean.TRUE.equals(optional)) {
                throw new MissingReferenceException("references non-existent config key: " + item.getKey());
            }
            if (value != null) {
                Path file = files.resolve(item.getPath());
                Files.createDirectories(file.getParent());
                write(file, value);
            }
        }
    }

    /** At once, as a kubelet does: nobody reads half of it. */
    private static void write(Path file, byte[] content) throws IOException {
        if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), content)) {
            return;
        }
        Path next = file.resolveSibling(".." + file.getFileName());
        Files.write(next, content);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
