package io.busbar.charts.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.common.ObjectKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a chart rendered for its instances: where its values, or what it looks up, have changed since the last time, and
 * not else, whether that went well or not.
 *
 * <p>What it looks up is not known before it does: it is rendered until all is found, which is once where it looks up
 * the same as the last time.
 *
 * <p>Where a template, or a value, may make something up, it is rendered twice, the second time as if all of the first
 * one were there, so that lookup finds it, and as if it were another time. A chart whose two renderings differ, as with
 * a password that is another one each time, would be another one whenever the process is started anew: it is refused,
 * and the message says where they differ.
 *
 * <p>Any thread, one at a time for each instance; blocks.
 */
public final class ChartRenderer {

    private static final Logger log = LoggerFactory.getLogger(ChartRenderer.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_LOOKUPS = 100;

    private final ChartFolder chart;
    private final Overrides overrides;
    private final HelmEngine engine = new HelmEngine();
    private final Map<ObjectKey, Known> known = new ConcurrentHashMap<>();

    /**
     * What is rendered.
     *
     * @param values as JSON
     * @param valuesLongAgo the same at another time
     * @param longAgo whether templates are told another time
     */
    private record Release(
            ObjectKey instance, String values, String valuesLongAgo, String kubeVersion, boolean longAgo) {

        static Release of(ObjectKey instance, JsonNode given, String kubeVersion) {
            JsonNode values = changed(given, TemplateText::prepared);
            String text = values.toString();
            String longAgo = changed(values, TemplateText::longAgo).toString();
            return new Release(instance, text, longAgo.equals(text) ? text : longAgo, kubeVersion, false);
        }

        Release atAnotherTime() {
            return new Release(instance, valuesLongAgo, valuesLongAgo, kubeVersion, true);
        }
    }

    /**
     * Either of the two.
     *
     * @param release of which nothing else is known
     * @param inputs a hash of all that it is made of
     * @param asked what was looked up
     */
    private record Known(
            Release release,
            String inputs,
            Set<Lookup> asked,
            @Nullable Rendering rendering,
            String failure) {}

    /**
     * @param overrides win over the values of instances, by dotted paths
     */
    public ChartRenderer(ChartFolder chart, Map<String, JsonNode> overrides) {
        this.chart = chart;
        this.overrides = new Overrides(overrides);
    }

    /**
     * What an instance is made of.
     *
     * @param instance whose name is that of the release
     * @param values that win over those of the chart
     * @param kubeVersion of the cluster
     * @param cluster what the chart may look up; what this throws is thrown
     * @throws RenderFailedException when the chart does not render with them
     * @throws IOException when the values cannot be handed over
     */
    public Rendering render(ObjectKey instance, JsonNode values, String kubeVersion, Lookups cluster)
            throws RenderFailedException, IOException {
        ObjectNode given = values instanceof ObjectNode map ? map : JSON.createObjectNode();
        Release release = Release.of(instance, overrides.over(given), kubeVersion);
        Known before = known.get(instance);
        Map<Lookup, Optional<JsonNode>> found = new TreeMap<>(Comparator.comparing(Lookup::key));
        // Other values may look up something else.
        if (before != null && before.release().equals(release)) {
            before.asked().forEach(asked -> found.put(asked, cluster.find(asked)));
        }
        if (before == null || !before.inputs().equals(inputs(release, found))) {
            before = rendered(release, found, cluster);
            known.put(instance, before);
        }
        Rendering rendering = before.rendering();
        if (rendering == null) {
            throw new RenderFailedException(before.failure());
        }
        return rendering;
    }

    /** As the chart calls itself. */
    public String chartName() {
        return chart.name();
    }

    /** Of one that is gone. */
    public void forget(ObjectKey instance) {
        known.remove(instance);
    }

    /** How often the chart was rendered. */
    public long renderings() {
        return engine.calls();
    }

    /** All but what is looked up. */
    private String inputs(Release release) {
        String all = chart.hash() + '\n' + release.values() + '\n' + release.kubeVersion();
        return Hash.of(all.getBytes(UTF_8));
    }

    private static String inputs(Release release, Map<Lookup, Optional<JsonNode>> found) {
        StringBuilder all = new StringBuilder(release.values()).append('\n').append(release.kubeVersion());
        found.forEach((asked, answer) ->
                all.append('\n').append(asked.key()).append(' ').append(answer));
        return Hash.of(all.toString().getBytes(UTF_8));
    }

    /** @param found of what it has looked up the last time; whatever else it looks up is added */
    private Known rendered(Release release, Map<Lookup, Optional<JsonNode>> found, Lookups cluster) throws IOException {
        try {
            String text = call(release, found, cluster);
            Rendering rendering = Rendering.of(text, inputs(release));
            if (mayMakeUp(release.values())) {
                requireSameAgain(release, text, rendering, found, cluster);
            }
            Set<String> once = madeOnce(release, rendering, found, cluster);
            return new Known(release, inputs(release, found), Set.copyOf(found.keySet()), rendering.with(once), "");
        } catch (RenderFailedException failed) {
            return new Known(
                    release,
                    inputs(release, found),
                    Set.copyOf(found.keySet()),
                    null,
                    String.valueOf(failed.getMessage()));
        }
    }

    /**
     * Where the chart does not render without them either they are needed, too: what is kept in vain can be deleted,
     * and what has gone cannot be had back.
     */
    private Set<String> madeOnce(
            Release release, Rendering rendering, Map<Lookup, Optional<JsonNode>> found, Lookups cluster)
            throws IOException {
        String namespace = release.instance().namespace();
        Set<Lookup> rendered = rendering.asFound(namespace).keySet();
        Set<Lookup> own = new HashSet<>();
        found.forEach((asked, answer) -> {
            if (!asked.name().isEmpty()
                    && !rendered.contains(asked)
                    && answer.filter(cluster::isOwn).isPresent()) {
                own.add(asked);
            }
        });
        if (own.isEmpty()) {
            return Set.of();
        }
        Map<Lookup, Optional<JsonNode>> without = new HashMap<>(found);
        own.forEach(asked -> without.put(asked, Optional.empty()));
        try {
            own.retainAll(Rendering.of(call(release, without, cluster), "")
                    .asFound(namespace)
                    .keySet());
        } catch (RenderFailedException needed) {
            log.atDebug()
                    .addKeyValue("reason", needed.getMessage())
                    .log("the chart does not render without what it has made");
        }
        return own.stream().map(Rendering::identity).collect(Collectors.toSet());
    }

    private void requireSameAgain(
            Release release, String text, Rendering rendering, Map<Lookup, Optional<JsonNode>> found, Lookups cluster)
            throws RenderFailedException, IOException {
        Map<Lookup, JsonNode> made = rendering.asFound(release.instance().namespace());
        Map<Lookup, Optional<JsonNode>> then = new HashMap<>(found);
        then.replaceAll((asked, answer) -> Optional.ofNullable(made.get(asked)).or(() -> answer));
        Lookups after = asked -> Optional.ofNullable(made.get(asked)).or(() -> cluster.find(asked));
        Release later = release.atAnotherTime();
        String again = call(later, then, after);
        boolean same = text.equals(again)
                || (rendering.isWithoutFound(
                                Rendering.of(again, ""),
                                then.keySet(),
                                release.instance().namespace())
                        && again.equals(call(later, then, after)));
        if (!same) {
            throw new RenderFailedException("the chart comes to something else each time it is rendered, such as a"
                    + " password that it makes up, or the time; give it the value. In one rendering there is "
                    + difference(rendering, Rendering.of(again, "")));
        }
    }

    /** Values may be templates. */
    private boolean mayMakeUp(String values) throws IOException {
        return chart.mayMakeUp() || mayMakeUp(JSON.readTree(values));
    }

    private static boolean mayMakeUp(JsonNode values) {
        return TemplateText.mayMakeUp(values.asText())
                || values.propertyStream().map(Map.Entry::getKey).anyMatch(TemplateText::mayMakeUp)
                || values.valueStream().anyMatch(ChartRenderer::mayMakeUp);
    }

    /** @param found what is looked up besides is added */
    private String call(Release release, Map<Lookup, Optional<JsonNode>> found, Lookups cluster)
            throws RenderFailedException, IOException {
        while (true) {
            try {
                return call(release, found);
            } catch (RenderFailedException failed) {
                Lookup asked = LookupTemplate.unknown(failed)
                        .filter(one -> !found.containsKey(one))
                        .orElseThrow(() -> failed);
                if (found.size() == MOST_LOOKUPS) {
                    throw new RenderFailedException(
                            "the chart looks up more than " + MOST_LOOKUPS + " objects, such as " + asked);
                }
                found.put(asked, cluster.find(asked));
            }
        }
    }

    private String call(Release release, Map<Lookup, Optional<JsonNode>> found)
            throws RenderFailedException, IOException {
        return chart.whileThere(() -> callNow(release, found));
    }

    private String callNow(Release release, Map<Lookup, Optional<JsonNode>> found)
            throws RenderFailedException, IOException {
        if (found.isEmpty() && !release.longAgo()) {
            return call(release, chart.path());
        }
        Path folder = Files.createTempDirectory("busbar-chart");
        try {
            chart.writeWith(found, release.longAgo(), folder);
            return call(release, folder);
        } finally {
            ChartFolder.delete(folder);
        }
    }

    private String call(Release release, Path folder) throws RenderFailedException, IOException {
        return TemplateText.restored(engine.render(
                folder,
                release.instance().name(),
                release.instance().namespace(),
                release.values(),
                release.kubeVersion()));
    }

    /** Names fields, and no values: they may be secrets. */
    private static String difference(Rendering one, Rendering other) {
        for (int at = 0; at < one.objects().size() && at < other.objects().size(); at++) {
            ObjectNode first = one.objects().get(at);
            if (!first.equals(other.objects().get(at))) {
                return Rendering.identity(first) + " with another "
                        + field(first, other.objects().get(at), "");
            }
        }
        return "another hook, or another number of objects";
    }

    private static String field(JsonNode one, JsonNode other, String path) {
        if (one.isObject() && other.isObject()) {
            for (Map.Entry<String, JsonNode> field : one.properties()) {
                JsonNode there = other.path(field.getKey());
                if (!field.getValue().equals(there)) {
                    return field(
                            field.getValue(), there, path.isEmpty() ? field.getKey() : path + "." + field.getKey());
                }
            }
        }
        return path;
    }

    /**
     * Texts among values may be templates themselves. In JSON they are not what they are: their quotes and ends of
     * lines are written otherwise.
     */
    private static JsonNode changed(JsonNode values, UnaryOperator<String> change) {
        if (values instanceof ObjectNode map) {
            ObjectNode copy = JSON.createObjectNode();
            map.properties()
                    .forEach(field -> copy.set(change.apply(field.getKey()), changed(field.getValue(), change)));
            return copy;
        }
        if (values instanceof ArrayNode list) {
            ArrayNode copy = JSON.createArrayNode();
            list.forEach(item -> copy.add(changed(item, change)));
            return copy;
        }
        return values.isTextual() ? TextNode.valueOf(change.apply(values.asText())) : values;
    }
}
