package io.busbar.scaffold.project;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import java.util.List;
import java.util.TreeMap;

/**
 * The text of a file PROJECT: kubebuilder's, of version 3, with our layout.
 *
 * <p>Pure; any thread. Source: kubebuilder's reference of the project config, and its {@code pkg/config/v3}. What is no
 * field of that, or stands twice, is refused; what other tools keep below {@code plugins} stays.
 */
public final class ProjectFile {

    /** Of the file. */
    public static final String NAME = "PROJECT";

    /** Of what is made, as kubebuilder names plugins. */
    public static final String LAYOUT = "java.busbar.io/v1";

    static final String FORMAT = "3";

    private static final String HEADER = """
            # What this project is made of. The commands of the scaffold write it, in the format of kubebuilder's
            # file of this name; comments in it are lost.
            """;

    private static final YAMLFactory YAML = YAMLFactory.builder()
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .build();

    private static final JsonMapper MAPPER = JsonMapper.builder(YAML)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private ProjectFile() {}

    /**
     * Reads a project.
     *
     * @throws InvalidConfigurationException with all that is wrong in it
     */
    public static Project read(String text) {
        JsonNode tree;
        try (JsonParser parser = MAPPER.createParser(text)) {
            tree = MAPPER.readTree(parser);
            if (parser.nextToken() != null) {
                throw unreadable("a second document");
            }
        } catch (JsonProcessingException malformed) {
            int line = malformed.getLocation() == null
                    ? 0
                    : malformed.getLocation().getLineNr();
            throw unreadable("line " + line + ": "
                    + malformed.getOriginalMessage().lines().findFirst().orElse("no YAML"));
        } catch (java.io.IOException impossible) {
            throw new java.io.UncheckedIOException(impossible);
        }
        if (!(tree instanceof ObjectNode fields)) {
            throw unreadable(tree == null || tree.isEmpty() ? "nothing" : "no mapping");
        }
        return new ProjectReader(fields).read();
    }

    private static InvalidConfigurationException unreadable(String what) {
        return new InvalidConfigurationException(
                List.of(new ConfigurationProblem(NAME, what, "YAML with each key once, as the scaffold writes it")));
    }

    /** The same text for equal projects. */
    public static String write(Project project) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("cliVersion", project.cliVersion());
        root.put("domain", project.domain());
        root.putArray("layout").add(LAYOUT);
        if (project.multigroup()) {
            root.put("multigroup", true);
        }
        TreeMap<String, JsonNode> plugins = new TreeMap<>(project.plugins());
        ObjectNode own = JsonNodeFactory.instance.objectNode();
        flag(own, "bundle", project.bundle());
        flag(own, "chart", project.chart());
        if (!own.isEmpty()) {
            plugins.put(LAYOUT, own);
        }
        if (!plugins.isEmpty()) {
            ObjectNode all = root.putObject("plugins");
            plugins.forEach(all::set);
        }
        root.put("projectName", project.name());
        root.put("repo", project.repo());
        if (!project.resources().isEmpty()) {
            ArrayNode resources = root.putArray("resources");
            project.resources().forEach(resource -> resources.add(tree(resource)));
        }
        root.put("version", FORMAT);
        try {
            return HEADER + MAPPER.writeValueAsString(root);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static ObjectNode tree(ProjectResource resource) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        if (resource.api() != ProjectResource.Api.NONE) {
            ObjectNode api = tree.putObject("api").put("crdVersion", "v1");
            flag(api, "namespaced", resource.api() == ProjectResource.Api.NAMESPACED);
        }
        flag(tree, "controller", resource.controller());
        tree.put("domain", resource.domain());
        if (!resource.group().isEmpty()) {
            tree.put("group", resource.group());
        }
        tree.put("kind", resource.kind());
        tree.put("path", resource.path());
        if (!resource.hasRegularPlural()) {
            tree.put("plural", resource.plural());
        }
        tree.put("version", resource.version());
        Webhooks webhooks = resource.webhooks();
        if (!webhooks.isEmpty()) {
            ObjectNode hooks = tree.putObject("webhooks");
            flag(hooks, "conversion", webhooks.conversion());
            flag(hooks, "defaulting", webhooks.defaulting());
            if (!webhooks.spokes().isEmpty()) {
                webhooks.spokes().forEach(hooks.putArray("spoke")::add);
            }
            flag(hooks, "validation", webhooks.validation());
            hooks.put("webhookVersion", "v1");
        }
        return tree;
    }

    /** As Go's {@code omitempty} does. */
    private static void flag(ObjectNode tree, String name, boolean value) {
        if (value) {
            tree.put(name, true);
        }
    }
}
