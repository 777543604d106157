package io.busbar.scaffold.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads the tree of a file PROJECT, and gathers all that is wrong with it.
 *
 * <p>For one tree; one thread.
 */
final class ProjectReader {

    private final ObjectNode root;
    private final List<ConfigurationProblem> problems = new ArrayList<>();

    ProjectReader(ObjectNode root) {
        this.root = root;
    }

    Project read() {
        Fields fields = new Fields(root, "");
        fields.allow(
                "cliVersion",
                "domain",
                "layout",
                "multigroup",
                "plugins",
                "projectName",
                "repo",
                "resources",
                "version");
        equal("version", fields.text("version", ""), ProjectFile.FORMAT);
        layout(fields.node("layout"));
        TreeMap<String, JsonNode> plugins = new TreeMap<>();
        Fields tools = fields.object("plugins");
        tools.tree().properties().forEach(one -> plugins.put(one.getKey(), one.getValue()));
        plugins.remove(ProjectFile.LAYOUT);
        Fields own = tools.object(ProjectFile.LAYOUT);
        own.allow("bundle", "chart");
        Project project = new Project(
                fields.name("domain", NameRule.DOMAIN),
                fields.name("projectName", NameRule.PROJECT),
                fields.name("repo", NameRule.REPO),
                fields.text("cliVersion", ""),
                fields.flag("multigroup"),
                own.flag("chart"),
                own.flag("bundle"),
                resources(fields.node("resources")),
                plugins);
        if (problems.isEmpty()) {
            problems.addAll(ProjectRules.problems(project));
        }
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        return project;
    }

    private void layout(JsonNode layout) {
        JsonNode only = layout.isArray() && layout.size() == 1 ? layout.get(0) : layout;
        equal("layout", only.isTextual() ? only.textValue() : only.toString(), ProjectFile.LAYOUT);
    }

    private void equal(String path, String value, String allowed) {
        if (!value.equals(allowed)) {
            problem(path, value, allowed);
        }
    }

    private List<ProjectResource> resources(JsonNode list) {
        List<ProjectResource> resources = new ArrayList<>();
        if (!list.isArray() && !list.isMissingNode()) {
            problem("resources", list.toString(), "a list");
        }
        for (int i = 0; i < list.size(); i++) {
            String path = "resources[" + i + "]";
            if (list.get(i) instanceof ObjectNode one) {
                resources.add(resource(new Fields(one, path + ".")));
            } else {
                problem(path, list.get(i).toString(), "a mapping");
            }
        }
        return resources;
    }

    private ProjectResource resource(Fields fields) {
        fields.allow("api", "controller", "domain", "group", "kind", "path", "plural", "version", "webhooks");
        Fields api = fields.object("api");
        api.allow("crdVersion", "namespaced");
        if (!api.tree().isEmpty()) {
            equal(api.prefix() + "crdVersion", api.text("crdVersion", ""), "v1");
        }
        Fields webhooks = fields.object("webhooks");
        webhooks.allow("conversion", "defaulting", "spoke", "validation", "webhookVersion");
        if (!webhooks.tree().isEmpty()) {
            equal(webhooks.prefix() + "webhookVersion", webhooks.text("webhookVersion", ""), "v1");
        }
        String kind = fields.name("kind", NameRule.KIND);
        String plural = fields.text("plural", ProjectResource.regularPlural(kind));
        if (fields.has("plural")) {
            NameRule.PLURAL.check(key(fields.prefix() + "plural"), plural, problems);
        }
        return new ProjectResource(
                fields.has("group") ? fields.name("group", NameRule.GROUP) : "",
                fields.name("domain", NameRule.DOMAIN),
                fields.name("version", NameRule.VERSION),
                kind,
                plural,
                fields.name("path", NameRule.REPO),
                api.tree().isEmpty()
                        ? ProjectResource.Api.NONE
                        : api.flag("namespaced") ? ProjectResource.Api.NAMESPACED : ProjectResource.Api.CLUSTER_SCOPED,
                fields.flag("controller"),
                new Webhooks(
                        webhooks.flag("defaulting"),
                        webhooks.flag("validation"),
                        webhooks.flag("conversion"),
                        spokes(webhooks)));
    }

    private List<String> spokes(Fields webhooks) {
        List<String> spokes = new ArrayList<>();
        JsonNode list = webhooks.node("spoke");
        if (!list.isArray() && !list.isMissingNode()) {
            problem(webhooks.prefix() + "spoke", list.toString(), "a list of versions");
        }
        list.forEach(one -> {
            NameRule.VERSION.check(key(webhooks.prefix() + "spoke"), one.asText(), problems);
            spokes.add(one.asText());
        });
        return spokes;
    }

    private void problem(String path, String value, String allowed) {
        problems.add(new ConfigurationProblem(key(path), value, allowed));
    }

    private static String key(String path) {
        return ProjectFile.NAME + ": " + path;
    }

    /** The fields of one mapping. */
    private final class Fields {

        private final ObjectNode tree;
        private final String prefix;

        Fields(ObjectNode tree, String prefix) {
            this.tree = tree;
            this.prefix = prefix;
        }

        ObjectNode tree() {
            return tree;
        }

        String prefix() {
            return prefix;
        }

        void allow(String... names) {
            Set<String> unknown = new HashSet<>();
            tree.fieldNames().forEachRemaining(unknown::add);
            List.of(names).forEach(unknown::remove);
            unknown.stream()
                    .sorted()
                    .forEach(name -> problem(
                            prefix + name,
                            tree.get(name).toString(),
                            "no such field, only " + String.join(", ", names)));
        }

        boolean has(String name) {
            return tree.has(name);
        }

        JsonNode node(String name) {
            return tree.path(name);
        }

        Fields object(String name) {
            JsonNode node = node(name);
            if (!node.isObject() && !node.isMissingNode()) {
                problem(prefix + name, node.toString(), "a mapping");
            }
            return new Fields(node instanceof ObjectNode object ? object : tree.objectNode(), prefix + name + ".");
        }

        String text(String name, String absent) {
            JsonNode node = node(name);
            if (node.isMissingNode()) {
                return absent;
            }
            if (!node.isTextual()) {
                problem(prefix + name, node.toString(), "text, in quotes where it looks like something else");
                return absent;
            }
            return node.textValue();
        }

        String name(String name, NameRule rule) {
            String text = text(name, "");
            rule.check(key(prefix + name), text, problems);
            return text;
        }

        boolean flag(String name) {
            JsonNode node = node(name);
            if (!node.isMissingNode() && !node.isBoolean()) {
                problem(prefix + name, node.toString(), "true, false");
            }
            return node.asBoolean();
        }
    }
}
