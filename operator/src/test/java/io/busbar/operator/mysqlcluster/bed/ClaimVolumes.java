package io.busbar.operator.mysqlcluster.bed;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The volumes of claims: a folder each, by the claim's uid, that lasts as long as the Node. Any thread.
 */
final class ClaimVolumes {

    /**
     * A volume.
     *
     * @param folder where its content is, for a disk in the namespace of a container only
     * @param disk the image of a disk of limited size
     */
    record Volume(Path folder, Optional<Path> disk) {}

    private final Path root;
    private final Map<String, Volume> volumes = new ConcurrentHashMap<>();

    ClaimVolumes(Path root) {
        this.root = root;
    }

    /** @param megabytes that a volume which is not there yet is to hold; 0 for as much as the machine has */
    Volume of(String claimUid, int megabytes) throws IOException {
        Volume known = volumes.get(claimUid);
        if (known != null) {
            return known;
        }
        Path folder = Files.createDirectories(root.resolve(claimUid));
        Volume made = new Volume(folder, megabytes == 0 ? Optional.empty() : Optional.of(disk(claimUid, megabytes)));
        Volume before = volumes.putIfAbsent(claimUid, made);
        return before == null ? made : before;
    }

    private Path disk(String claimUid, int megabytes) throws IOException {
        Path image = root.resolve(claimUid + ".img");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(megabytes * 1024L * 1024);
        }
        try {
            Command.run(List.of("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", image.toString()), "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        return image;
    }
}
