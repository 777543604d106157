package io.busbar.charts.render;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Helm's own engine, as a native library within the process.
 *
 * <p>Any thread, several at once; blocks, some milliseconds a call, and half a second at the first, which unpacks and
 * loads the library.
 */
final class HelmEngine {

    private static final String HINT = "\n\nUse --debug flag to render out invalid YAML";

    private final AtomicLong calls = new AtomicLong();

    /** How often it has rendered. */
    long calls() {
        return calls.get();
    }

    /**
     * Renders a chart, as {@code helm template} does.
     *
     * @param values as JSON; may hold secrets: they are in a file that is this user's alone, for as long as this takes
     * @param kubeVersion that the chart sees
     * @throws RenderFailedException when the chart does not render
     * @throws IOException when the values cannot be handed over
     */
    String render(Path chart, String release, String namespace, String values, String kubeVersion)
            throws RenderFailedException, IOException {
        Loaded.load();
        Path file = Files.createTempFile("busbar-values", ".json");
        try {
            Files.writeString(file, values);
            TemplateCommand command = new Helm(chart)
                    .template()
                    .withName(release)
                    .withNamespace(namespace)
                    .withKubeVersion(kubeVersion)
                    .skipCrds()
                    .withValuesFile(file);
            calls.incrementAndGet();
            return Objects.requireNonNullElse(command.call(), ""); // of a chart that comes to nothing
        } catch (IllegalStateException failed) {
            throw new RenderFailedException(String.valueOf(failed.getMessage())
                    .replace(HINT, "")
                    .replace(chart + "/", "")
                    .strip());
        } finally {
            Files.delete(file);
            Loaded.SIGNALS.restore();
        }
    }

    /** What is done once, around the time when the library is loaded. */
    private static final class Loaded {

        private static final Signals SIGNALS = Signals.read();

        static {
            Helm.version().call();
            LibraryFile.delete();
        }

        /** That the class is loaded is all that this does. */
        static void load() {}
    }
}
