package io.busbar.operator.shard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A control group of Linux whose processes have a part of one CPU at most. Needs root. */
final class CpuShare implements AutoCloseable {

    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final int PERIOD = 20_000;

    private final Path group;

    private CpuShare(Path group) {
        this.group = group;
    }

    /** @param share of one CPU, such as 0.25 */
    static CpuShare of(String name, double share) throws IOException {
        boolean first = Files.isDirectory(ROOT.resolve("cpu"));
        Path group = Files.createDirectories((first ? ROOT.resolve("cpu") : ROOT).resolve("busbar-bench-" + name));
        int quota = (int) (share * PERIOD);
        if (first) {
            Files.writeString(group.resolve("cpu.cfs_period_us"), String.valueOf(PERIOD));
            Files.writeString(group.resolve("cpu.cfs_quota_us"), String.valueOf(quota));
        } else {
            Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD);
        }
        return new CpuShare(group);
    }

    /** The command that runs this one with the share from its first instruction on. */
    List<String> command(List<String> command) {
        return List.of(
                "sh",
                "-c",
                "echo $$ >" + group.resolve("cgroup.procs") + " && exec "
                        + String.join(
                                " ",
                                command.stream().map(word -> "'" + word + "'").toList()));
    }

    /** Once its processes have ended. */
    @Override
    public void close() throws IOException {
        Files.delete(group);
    }
}
