package io.busbar.charts.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a chart comes to with certain values. Immutable, but for the objects within, which are not to be changed.
 *
 * @param revision differs where what was rendered does
 * @param inputs differs where the values, the chart or the cluster's version do: all but what was looked up
 * @param madeOnce objects of the instance that are not rendered for the one reason that lookup has found them, by their
 *     identities
 * @param objects in the order in which Helm installs them
 * @param hooks in the order in which they run
 */
public record Rendering(
        String revision, String inputs, Set<String> madeOnce, List<ObjectNode> objects, List<Hook> hooks) {

    /** Which template the documents that follow come from, as Helm tells it. */
    private static final Pattern SOURCE = Pattern.compile("(?m)^---\\n# Source: (.*)\\n");

    public Rendering {
        madeOnce = Set.copyOf(madeOnce);
        objects = List.copyOf(objects);
        hooks = List.copyOf(hooks);
    }

    /** Those of one event, in their order. */
    public List<Hook> hooks(String event) {
        return hooks.stream().filter(hook -> hook.events().contains(event)).toList();
    }

    /**
     * Reads what was rendered. Hooks that are tests are left out. The revision is a hash of it: values that make no
     * difference are no other revision.
     *
     * @throws RenderFailedException when it is no YAML, or no objects
     */
    static Rendering of(String text, String inputs) throws RenderFailedException {
        List<ObjectNode> objects = new ArrayList<>();
        List<Hook> hooks = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (ObjectNode object : objects(text)) {
            if (Hook.is(object)) {
                Hook hook = Hook.of(object);
                if (hook.events().stream().noneMatch(event -> event.startsWith("test"))) {
                    hooks.add(hook);
                }
                continue;
            }
            String identity = identity(object);
            if (!seen.add(identity)) {
                throw new RenderFailedException(identity + " is rendered twice");
            }
            objects.add(object);
        }
        // Stable, as Helm's own: those of one weight and name stay in the order in which it installs their kinds.
        hooks.sort(Comparator.comparingInt(Hook::weight).thenComparing(Hook::name));
        return new Rendering(Hash.of(text.getBytes(UTF_8)), inputs, Set.of(), objects, hooks);
    }

    /** The same with what is known of those that were made once. */
    Rendering with(Set<String> once) {
        return new Rendering(revision, inputs, once, objects, hooks);
    }

    /**
     * What lookup finds once all of it is there, but for what the API server adds. Objects that say no namespace are
     * found in that of the release, and in none.
     */
    Map<Lookup, JsonNode> asFound(String namespace) {
        Map<Lookup, JsonNode> found = new HashMap<>();
        all().forEach(object -> {
            ObjectNode stored = stored(object);
            lookups(object, namespace).forEach(asked -> found.put(asked, stored));
        });
        return found;
    }

    private static List<Lookup> lookups(JsonNode object, String namespace) {
        JsonNode metadata = object.path("metadata");
        String own = metadata.path("namespace").asText();
        return (own.isEmpty() ? List.of(namespace, "") : List.of(own))
                .stream()
                        .map(where -> new Lookup(
                                object.path("apiVersion").asText(),
                                object.path("kind").asText(),
                                where,
                                metadata.path("name").asText()))
                        .toList();
    }

    /**
     * Whether another rendering is this one without objects that are made only where lookup does not find them.
     *
     * @param asked what was looked up
     */
    boolean isWithoutFound(Rendering other, Set<Lookup> asked, String namespace) {
        Predicate<JsonNode> isFound =
                object -> lookups(object, namespace).stream().anyMatch(asked::contains);
        Set<String> there = other.all().map(Rendering::identity).collect(Collectors.toSet());
        Predicate<JsonNode> stays =
                object -> there.contains(identity(object)) || isFound.negate().test(object);
        return objects.stream().filter(stays).toList().equals(other.objects)
                && hooks.stream()
                        .filter(hook -> stays.test(hook.object()))
                        .toList()
                        .equals(other.hooks);
    }

    private Stream<ObjectNode> all() {
        return Stream.concat(objects.stream(), hooks.stream().map(Hook::object));
    }

    /** Texts of Secrets are bytes there. */
    private static ObjectNode stored(ObjectNode object) {
        JsonNode texts = object.path("stringData");
        if (!object.path("kind").asText().equals("Secret") || texts.isMissingNode()) {
            return object;
        }
        ObjectNode stored = object.deepCopy();
        stored.remove("stringData");
        ObjectNode data = stored.withObjectProperty("data");
        texts.properties()
                .forEach(text -> data.put(
                        text.getKey(),
                        Base64.getEncoder()
                                .encodeToString(text.getValue().asText().getBytes(UTF_8))));
        return stored;
    }

    /** ApiVersion, kind, namespace and name. */
    public static String identity(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return object.path("apiVersion").asText() + " " + object.path("kind").asText() + " "
                + metadata.path("namespace").asText() + "/"
                + metadata.path("name").asText();
    }

    /** The same of what is looked up by name. */
    static String identity(Lookup asked) {
        return asked.apiVersion() + " " + asked.kind() + " " + asked.namespace() + "/" + asked.name();
    }

    /** The same of an identity, whatever version of the kind it tells: there is one object, which each version shows. */
    public static String withoutVersion(String identity) {
        int end = identity.indexOf(' ');
        int slash = identity.lastIndexOf('/', end);
        return (slash < 0 ? "" : identity.substring(0, slash)) + identity.substring(end);
    }

    private static List<ObjectNode> objects(String text) throws RenderFailedException {
        List<ObjectNode> objects = new ArrayList<>();
        Matcher source = SOURCE.matcher(text);
        String template = "";
        int from = 0;
        while (from < text.length()) {
            boolean isLast = !source.find(from);
            add(text.substring(from, isLast ? text.length() : source.start()), template, objects);
            template = isLast ? "" : source.group(1) + ": ";
            from = isLast ? text.length() : source.end();
        }
        return objects;
    }

    private static void add(String text, String template, List<ObjectNode> objects) throws RenderFailedException {
        try {
            for (JsonNode document : YamlDocuments.rendered(text)) {
                add(document, template, objects);
            }
        } catch (IllegalArgumentException noYaml) {
            throw new RenderFailedException(template + noYaml.getMessage());
        }
    }

    private static void add(JsonNode document, String template, List<ObjectNode> objects) throws RenderFailedException {
        if (document.path("kind").asText().endsWith("List")
                && document.path("items").isArray()) {
            for (JsonNode item : document.path("items")) {
                add(item, template, objects);
            }
            return;
        }
        if (!(document instanceof ObjectNode object)) {
            throw new RenderFailedException(template + "a "
                    + document.getNodeType().toString().toLowerCase(Locale.ROOT)
                    + " is not allowed; allowed: an object with apiVersion, kind and metadata.name");
        }
        requireText(object.path("apiVersion"), template + "apiVersion", "");
        requireText(object.path("kind"), template + "kind", "");
        JsonNode metadata = object.path("metadata");
        String generated = metadata.path("generateName").asText();
        requireText(
                metadata.path("name"),
                template + "metadata.name",
                generated.isEmpty()
                        ? ""
                        : ": of metadata.generateName, '" + generated + "', there would be another object each time");
        objects.add(object);
    }

    private static void requireText(JsonNode value, String field, String why) throws RenderFailedException {
        if (value.asText().isEmpty()) {
            throw new RenderFailedException(field + ": '' is not allowed; allowed: a text" + why);
        }
    }
}
