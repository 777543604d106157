package io.busbar.operator.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A copy of a chart, changed where a test's cluster cannot do without. Any thread; blocks. */
final class ChartCopy {

    private static final Pattern SERVICE = Pattern.compile(
            "(?m)^( +)service:\n\\1  name: .*\n\\1  namespace: .*\n\\1  path: (\\S+)$(\n\\1  port: .*$)?");

    private final Path folder;

    private ChartCopy(Path folder) {
        this.folder = folder;
    }

    /** For any Kubernetes. */
    static ChartCopy of(Path chart, Path to) throws IOException {
        for (Path file : files(chart)) {
            Files.copy(file, to.resolve(chart.relativize(file).toString()));
        }
        ChartCopy copy = new ChartCopy(to);
        copy.replace(to.resolve("Chart.yaml"), Pattern.compile("(?m)^kubeVersion: .*$"), "kubeVersion: \">=1.20.0-0\"");
        return copy;
    }

    Path folder() {
        return folder;
    }

    /** Has webhooks asked by URL, where the API server reaches no Service. */
    ChartCopy asked(String url) throws IOException {
        for (String templates : List.of("templates/crd", "templates/webhook")) {
            for (Path file : files(folder.resolve(templates))) {
                replace(file, SERVICE, "$1url: " + url + "$2");
            }
        }
        return this;
    }

    private void replace(Path file, Pattern what, String by) throws IOException {
        if (Files.isRegularFile(file)) {
            Files.writeString(file, what.matcher(Files.readString(file)).replaceAll(by));
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList();
        }
    }
}
