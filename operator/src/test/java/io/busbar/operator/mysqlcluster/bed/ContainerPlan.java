package io.busbar.operator.mysqlcluster.bed;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * All that is to be known to run a container. Immutable.
 *
 * @param folder of the container, on the machine
 * @param mounts in their order
 */
record ContainerPlan(
        String hostname, Path folder, List<String> command, Map<String, String> environment, List<Mount> mounts) {

    Path terminationLog() {
        return folder.resolve("termination-log");
    }

    /** Whether a volume of limited size is among them. */
    boolean hasDisk() {
        return mounts.stream().anyMatch(mount -> mount.kind() == Mount.Kind.DISK);
    }

    Path log() {
        return folder.resolve("log");
    }
}
