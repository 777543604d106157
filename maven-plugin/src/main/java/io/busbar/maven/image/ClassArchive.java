package io.busbar.maven.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The classes of a program as the virtual machine wants them in memory, so that a start need not load and check each.
 *
 * <p>One thread, once. A rehearsal of the program, as it is run and used, tells which classes those are, and no others:
 * what lies in the archive takes memory, used or not. From run to run that may be a few more or less, as threads meet
 * in other places. From the same list of classes, the same jar and the same runtime comes the same archive, where
 * {@link #PREDICTABLY} can be had.
 */
final class ClassArchive {

    /** The file with the list of classes. */
    static final String LIST = "classes.txt";

    /**
     * Runs what follows at the same addresses each time, and one thread of it until that waits: where things come to
     * lie, and which thread was first, gets into the archive. The number of a processor follows.
     */
    private static final List<String> PREDICTABLY = List.of("setarch", "-R", "chrt", "--fifo", "1", "taskset", "-c");

    /** Whoever reads one of the files next gets it from the disk. */
    private static final String FORGET =
            "for file; do sync -d \"$file\" && dd if=\"$file\" iflag=nocache count=0 status=none; done";

    private final Jar jar;

    /** @param jar in a folder of its own, where the archive goes */
    ClassArchive(Jar jar) {
        this.jar = jar;
    }

    /**
     * Writes the list of classes, sorted as they would else differ from build to build.
     *
     * @param flags of the program, beside those that it needs for a rehearsal
     */
    Path list(Program program, List<String> flags) throws IOException, InterruptedException {
        Path classes = jar.folder().resolve(LIST);
        program.rehearsal()
                .play(
                        jar,
                        List.of(
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:DumpLoadedClassList=" + classes.getFileName()),
                        flags,
                        jar.folder().resolveSibling("rehearsal"));
        return Files.write(classes, new TreeSet<>(Files.readAllLines(classes)));
    }

    /** @param classes a list that {@link #list} has written, in this folder */
    Path write(Path classes) throws IOException, InterruptedException {
        Path archive = jar.folder().resolve(jar.name().replaceFirst("\\.jar$", "") + ".jsa");
        Files.deleteIfExists(archive);
        List<String> prefix = predictably();
        ProcessBuilder dump = jar.java(
                prefix,
                List.of(
                        "-Xshare:dump",
                        "-Xint", // a compiler's threads would take part
                        "-Xrs", // as would one for signals
                        "-XX:-UsePerfData", // a file, on which they would wait
                        "-XX:+UseSerialGC",
                        "-Xlog:disable",
                        "-XX:SharedClassListFile=" + classes.getFileName(),
                        "-XX:SharedArchiveFile=" + archive.getFileName(),
                        "-cp",
                        jar.name()));
        // Its size moves what follows in memory, and its locale chooses classes.
        dump.environment().clear();
        dump.environment().putAll(Map.of("LC_ALL", "C.UTF-8", "PATH", "/usr/bin:/bin"));
        if (!prefix.isEmpty()) {
            forget(jar.runtime().home());
            forget(jar.folder());
        }
        Process dumping = dump.redirectErrorStream(true).start();
        String output = new String(dumping.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (dumping.waitFor() != 0 || !Files.exists(archive)) {
            throw new IllegalStateException("no archive of classes: " + output);
        }
        return archive;
    }

    /**
     * Has the kernel forget what it keeps of the files in a folder. Where the first thread has to wait for the disk,
     * the others come to their own waiting meanwhile; where it need not, that differs from time to time.
     */
    private static void forget(Path folder) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", FORGET, "sh"));
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(Files::isRegularFile).map(Path::toString).forEach(command::add);
        }
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** Linux has it; the right to a fixed priority is root's, and some containers forbid all of it. */
    private static List<String> predictably() throws IOException, InterruptedException {
        List<String> prefix = new ArrayList<>(PREDICTABLY);
        prefix.add(firstProcessor());
        List<String> probe = new ArrayList<>(prefix);
        probe.add("true");
        boolean installed =
                Stream.of("setarch", "chrt", "taskset").allMatch(program -> Files.exists(Path.of("/usr/bin", program)));
        if (installed && new ProcessBuilder(probe).start().waitFor() == 0) {
            return prefix;
        }
        System.err.println("no " + String.join(" ", prefix) + " here: the archive will be another in each build");
        return List.of();
    }

    /** Of those that this process may use: the kernel gives them as a list of ranges. */
    private static String firstProcessor() throws IOException {
        String allowed = "Cpus_allowed_list:";
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(allowed))
                .map(line -> line.substring(allowed.length()).strip())
                .map(ranges -> ranges.replaceFirst("[-,].*", ""))
                .findFirst()
                .orElse("0");
    }
}
