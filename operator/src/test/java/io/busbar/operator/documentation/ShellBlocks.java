package io.busbar.operator.documentation;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Holds blocks of shell commands to the programs that they call. Immutable. */
final class ShellBlocks {

    /** They are called as they are; their own flags are not looked at. */
    private static final Set<String> OTHERS = Set.of(
            "cd",
            "mkdir",
            "export",
            "ulimit",
            "curl",
            "jq",
            "git",
            "cat",
            "echo",
            "rm",
            "until",
            "do",
            "done",
            "sleep",
            "sha256sum");

    private static final Set<String> HELM = Set.of("install", "upgrade", "uninstall");

    private static final Set<String> KUBECTL = Set.of(
            "annotate",
            "api-resources",
            "apply",
            "attach",
            "auth",
            "config",
            "create",
            "delete",
            "describe",
            "diff",
            "edit",
            "exec",
            "explain",
            "get",
            "label",
            "logs",
            "patch",
            "port-forward",
            "rollout",
            "run",
            "scale",
            "wait");

    private final MavenCommands maven = new MavenCommands();

    /** @throws AssertionError naming the command and what is allowed */
    void check(Block block) {
        List<ShellLine> lines = ShellLine.parse(block.text());
        if (lines.isEmpty()) {
            throw new AssertionError(block.place() + ": no command in this block");
        }
        List<String> problems = new ArrayList<>();
        lines.forEach(line -> problem(line)
                .ifPresent(problem -> problems.add(
                        block.place() + ": not allowed in '" + String.join(" ", line.words()) + "': " + problem)));
        if (!problems.isEmpty()) {
            throw new AssertionError(String.join("\n", problems));
        }
    }

    private Optional<String> problem(ShellLine line) {
        return switch (line.program()) {
            case "java" -> JarCommands.problem(line.arguments());
            case "mvn" -> maven.problem(line.arguments());
            case "kubectl" -> kubectl(line.arguments());
            case "helm" -> oneOf(HELM, line.arguments()).or(() -> missingFile(line.arguments()));
            case "skopeo" -> oneOf(Set.of("copy"), line.arguments());
            default ->
                OTHERS.contains(line.program())
                        ? Optional.empty()
                        : Optional.of("the program " + line.program()
                                + "; allowed: java -jar, mvn, kubectl, helm, skopeo and " + new TreeSet<>(OTHERS));
        };
    }

    private static Optional<String> kubectl(List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        while (!words.isEmpty() && words.get(0).startsWith("-")) {
            boolean apart = !words.get(0).contains("=");
            words.remove(0);
            if (apart && !words.isEmpty()) {
                words.remove(0);
            }
        }
        return oneOf(KUBECTL, words).or(() -> missingFile(arguments));
    }

    private static Optional<String> oneOf(Set<String> allowed, List<String> words) {
        String first = words.isEmpty() ? "" : words.get(0);
        return allowed.contains(first)
                ? Optional.empty()
                : Optional.of("'" + first + "'; allowed: " + String.join(", ", new TreeSet<>(allowed)));
    }

    /** What lies in the folder of a module has to be there; what lies elsewhere is the reader's. */
    private static Optional<String> missingFile(List<String> arguments) {
        return arguments.stream()
                .flatMap(argument -> Stream.of(argument.substring(argument.indexOf('=') + 1)))
                .filter(path -> path.startsWith("manifests/") || path.startsWith("docs/"))
                .filter(path -> !Files.exists(Page.ROOT.resolve(path)))
                .findFirst()
                .map(path -> "the file " + path + ", which is not there");
    }
}
