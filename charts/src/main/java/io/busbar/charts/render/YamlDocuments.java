package io.busbar.charts.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Reads YAML as Helm and kubectl do: {@code yes} is true, {@code 0644} is octal, and times of day are texts.
 *
 * <p>Any thread.
 */
public final class YamlDocuments {

    private static final int MOST_CHARACTERS = 16 * 1024 * 1024;
    private static final ObjectMapper JSON = new ObjectMapper();

    private YamlDocuments() {}

    /** Of YAML 1.1, without what Go's library leaves out of it: numbers to the base of sixty, and times. */
    private static final class GoResolver extends Resolver {

        private static final Pattern INTEGER = Pattern.compile(
                "[-+]?0b_*[01][01_]*|[-+]?0_*[0-7][0-7_]*|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x_*[0-9a-fA-F][0-9a-fA-F_]*");
        private static final Pattern FLOAT = Pattern.compile(
                "[-+]?(?:\\.[0-9]+|[0-9][0-9_]*(?:\\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)");

        @Override
        protected void addImplicitResolvers() {
            addImplicitResolver(Tag.BOOL, BOOL, "yYnNtTfFoO");
            addImplicitResolver(Tag.INT, INTEGER, "-+0123456789");
            addImplicitResolver(Tag.FLOAT, FLOAT, "-+0123456789.");
            addImplicitResolver(Tag.MERGE, MERGE, "<");
            addImplicitResolver(Tag.NULL, NULL, "~nN\0");
            addImplicitResolver(Tag.NULL, EMPTY, null);
        }
    }

    /**
     * The documents of a text, without empty ones.
     *
     * @throws IllegalArgumentException when it is no YAML, or has a key twice; with the place
     */
    public static List<JsonNode> read(String text) {
        return read(text, false);
    }

    /**
     * The same of what a chart has rendered: of a key that is there several times the last one counts, as with Helm.
     *
     * @throws IllegalArgumentException when it is no YAML, with the place
     */
    static List<JsonNode> rendered(String text) {
        return read(text, true);
    }

    private static List<JsonNode> read(String text, boolean allowsDuplicateKeys) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MOST_CHARACTERS);
        options.setAllowDuplicateKeys(allowsDuplicateKeys);
        DumperOptions unused = new DumperOptions();
        Yaml yaml = new Yaml(new SafeConstructor(options), new Representer(unused), unused, options, new GoResolver());
        List<JsonNode> documents = new ArrayList<>();
        try {
            for (Object document : yaml.loadAll(text)) {
                if (document != null) {
                    documents.add(JSON.valueToTree(document));
                }
            }
        } catch (YAMLException e) {
            throw new IllegalArgumentException("no YAML: " + e.getMessage(), e);
        }
        return documents;
    }
}
