package io.busbar.charts.watches;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.charts.render.Overrides;
import io.busbar.charts.render.YamlDocuments;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.runtime.flags.GoDuration;
import io.fabric8.kubernetes.api.Pluralize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads {@code watches.yaml}: a list with {@code group}, {@code version}, {@code kind} and {@code chart}, and where
 * wanted {@code overrideValues}, {@code watchDependentResources}, {@code selector}, {@code reconcilePeriod}, and
 * {@code plural} where it is another than the usual one. {@code dryRunOption} is read and does nothing.
 *
 * <p>One thread, for one file.
 */
public final class WatchesFile {

    private static final Logger log = LoggerFactory.getLogger(WatchesFile.class);
    private static final Set<String> FIELDS = Set.of(
            "group",
            "version",
            "kind",
            "plural",
            "chart",
            "overrideValues",
            "watchDependentResources",
            "selector",
            "reconcilePeriod",
            "dryRunOption");
    private static final String DNS = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern GROUP = Pattern.compile(DNS + "(\\." + DNS + ")+");
    private static final Pattern VERSION = Pattern.compile("v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?");
    private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");
    private static final Pattern PLURAL = Pattern.compile("[a-z]([a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern VARIABLE =
            Pattern.compile("\\$(?:\\{([A-Za-z_][A-Za-z0-9_]*)}|([A-Za-z_][A-Za-z0-9_]*))");

    private final Path file;
    private final Map<String, String> variables;
    private final Fields.Problems problems;

    private WatchesFile(Path file, Map<String, String> variables) {
        this.file = file;
        this.variables = variables;
        this.problems = new Fields.Problems(file.toString());
    }

    /**
     * Reads all of a file.
     *
     * @param variables of the environment, for {@code ${NAME}} in {@code overrideValues}; one that is not there is
     *     empty, and told in the log
     * @return one at least
     * @throws InvalidConfigurationException with all that is wrong
     */
    public static List<Watch> read(Path file, Map<String, String> variables) {
        WatchesFile reading = new WatchesFile(file, variables);
        List<Watch> watches = reading.watches();
        if (!reading.problems.all().isEmpty()) {
            throw new InvalidConfigurationException(reading.problems.all());
        }
        return watches;
    }

    private List<Watch> watches() {
        JsonNode root;
        try {
            List<JsonNode> documents = YamlDocuments.read(Files.readString(file));
            root = documents.size() == 1 ? documents.get(0) : null;
        } catch (IOException unreadable) {
            problems.add("", "", "a file that can be read; --watches-file names another");
            return List.of();
        } catch (IllegalArgumentException noYaml) {
            problems.add("", String.valueOf(noYaml.getMessage()), "YAML");
            return List.of();
        }
        if (root == null || !root.isArray() || root.isEmpty()) {
            problems.add("", root == null ? "" : root.toString(), "one list of one or more charts");
            return List.of();
        }
        List<Watch> all = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (int at = 0; at < root.size(); at++) {
            String place = "[" + at + "]";
            if (!root.get(at).isObject()) {
                problems.add(place, root.get(at).toString(), "a map with group, version, kind and chart");
                continue;
            }
            Watch watch = watch(root.get(at), place);
            all.add(watch);
            Integer before = seen.putIfAbsent(watch.name(), at);
            if (before != null) {
                problems.add(place + ".kind", watch.kind(), "a kind that no other has; [" + before + "] is the same");
            }
        }
        return all;
    }

    private Watch watch(JsonNode entry, String place) {
        Fields.names(entry, place, FIELDS, problems);
        String kind = matching(entry, "kind", place, KIND, "a name such as Nginx");
        String plural = entry.has("plural")
                ? matching(entry, "plural", place, PLURAL, "lower-case letters and digits, such as nginxes")
                : Pluralize.toPlural(kind.toLowerCase(Locale.ROOT));
        if (entry.has("dryRunOption")) {
            log.atInfo().addKeyValue("kind", kind).log("dryRunOption has no effect: nothing is tried by dry runs here");
        }
        return new Watch(
                matching(entry, "group", place, GROUP, "a domain such as example.com"),
                matching(entry, "version", place, VERSION, "a version such as v1 or v1alpha1"),
                kind,
                plural,
                chart(entry, place),
                overrides(entry, place),
                Fields.truth(entry, "watchDependentResources", true, place, problems),
                LabelSelectors.text(entry.path("selector"), place + ".selector", problems),
                period(entry, place));
    }

    private String matching(JsonNode entry, String field, String place, Pattern pattern, String allowed) {
        String value = Fields.text(entry, field, place, problems);
        if (!value.isEmpty() && !pattern.matcher(value).matches()) {
            problems.add(place + "." + field, value, allowed);
        }
        return value;
    }

    /** Beside the file, where it is no absolute path. */
    private Path chart(JsonNode entry, String place) {
        String value = Fields.text(entry, "chart", place, problems);
        Path chart = file.toAbsolutePath().resolveSibling(value).normalize();
        boolean fits = Files.isRegularFile(chart.resolve("Chart.yaml"))
                || (Files.isRegularFile(chart) && chart.toString().endsWith(".tgz"));
        if (!value.isEmpty() && !fits) {
            problems.add(place + ".chart", value, "a folder with a Chart.yaml, or a .tgz; none is at " + chart);
        }
        return chart;
    }

    private Optional<Duration> period(JsonNode entry, String place) {
        if (!entry.has("reconcilePeriod")) {
            return Optional.empty();
        }
        String value = entry.path("reconcilePeriod").asText();
        try {
            return Optional.of(new GoDuration().convert(value)).filter(period -> !period.isZero());
        } catch (TypeConversionException none) {
            problems.add(place + ".reconcilePeriod", value, "numbers with units ms, s, m, h, such as 1m30s");
            return Optional.empty();
        }
    }

    /** Texts are that, as with operator-sdk, whatever they look like; numbers and truths are not made texts. */
    private Map<String, JsonNode> overrides(JsonNode entry, String place) {
        String field = place + ".overrideValues";
        Map<String, JsonNode> values = Fields.scalars(entry.path("overrideValues"), field, problems);
        values.keySet().stream()
                .filter(path -> !Overrides.isPath(path))
                .forEach(path -> problems.add(field, path, Overrides.ALLOWED));
        values.replaceAll(
                (path, value) -> value.isTextual() ? TextNode.valueOf(expanded(path, value.asText())) : value);
        return values;
    }

    private String expanded(String path, String value) {
        return VARIABLE.matcher(value).replaceAll(found -> {
            String name = found.group(1) == null ? found.group(2) : found.group(1);
            String text = variables.get(name);
            if (text == null) {
                log.atWarn()
                        .addKeyValue("value", path)
                        .addKeyValue("variable", name)
                        .log("a variable of an overrideValue is not set, and taken to be empty");
            }
            return Matcher.quoteReplacement(text == null ? "" : text);
        });
    }
}
