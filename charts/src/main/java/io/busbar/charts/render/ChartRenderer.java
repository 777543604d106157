package io.busbar.charts.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.common.ObjectKey;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Has a chart rendered for its instances: where its values have changed since the last time, and not else, whether that
 * went well or not.
 *
 * <p>Where a template, or a value, may make something up, it is rendered twice. A chart whose two renderings differ, as
 * with a password, would be another one whenever the process is started anew: it is refused, and the message says where
 * they differ.
 *
 * <p>Any thread, one at a time for each instance; blocks.
 */
public final class ChartRenderer {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ChartFolder chart;
    private final Map<String, String> overrides;
    private final HelmEngine engine = new HelmEngine();
    private final Map<ObjectKey, Known> known = new ConcurrentHashMap<>();

    /**
     * Either of the two.
     *
     * @param inputs a hash of all that it is made of
     */
    private record Known(String inputs, @Nullable Rendering rendering, String failure) {}

    /**
     * @param overrides win over the values of instances, by dotted paths
     */
    public ChartRenderer(ChartFolder chart, Map<String, String> overrides) {
        this.chart = chart;
        Map<String, String> prepared = new LinkedHashMap<>();
        overrides.forEach((path, value) -> prepared.put(path, TemplateText.prepared(value)));
        this.overrides = Map.copyOf(prepared);
    }

    /**
     * What an instance is made of.
     *
     * @param instance whose name is that of the release
     * @param values that win over those of the chart
     * @param kubeVersion of the cluster
     * @throws RenderFailedException when the chart does not render with them
     * @throws IOException when the values cannot be handed over
     */
    public Rendering render(ObjectKey instance, JsonNode values, String kubeVersion)
            throws RenderFailedException, IOException {
        String prepared = prepared(values).toString();
        String inputs = inputs(prepared, kubeVersion);
        Known before = known.get(instance);
        if (before == null || !before.inputs().equals(inputs)) {
            before = rendered(instance, prepared, kubeVersion, inputs);
            known.put(instance, before);
        }
        Rendering rendering = before.rendering();
        if (rendering == null) {
            throw new RenderFailedException(before.failure());
        }
        return rendering;
    }

    /** Of one that is gone. */
    public void forget(ObjectKey instance) {
        known.remove(instance);
    }

    /** How often the chart was rendered. */
    public long renderings() {
        return engine.calls();
    }

    private String inputs(String values, String kubeVersion) {
        return Hash.of(String.join("\n", values, kubeVersion).getBytes(UTF_8));
    }

    private Known rendered(ObjectKey instance, String values, String kubeVersion, String inputs) throws IOException {
        try {
            String text = call(instance, values, kubeVersion);
            String again = mayMakeUp(values) ? call(instance, values, kubeVersion) : text;
            if (!text.equals(again)) {
                throw new RenderFailedException("the chart comes to something else each time it is rendered, such as a"
                        + " password that it makes up; give it the value. In one rendering there is "
                        + difference(Rendering.of(text), Rendering.of(again)));
            }
            return new Known(inputs, Rendering.of(text), "");
        } catch (RenderFailedException failed) {
            return new Known(inputs, null, String.valueOf(failed.getMessage()));
        }
    }

    /** Values may be templates. */
    private boolean mayMakeUp(String values) {
        return chart.mayMakeUp()
                || TemplateText.mayMakeUp(values)
                || overrides.values().stream().anyMatch(TemplateText::mayMakeUp);
    }

    private String call(ObjectKey instance, String values, String kubeVersion)
            throws RenderFailedException, IOException {
        return TemplateText.restored(
                engine.render(chart.path(), instance.name(), instance.namespace(), values, overrides, kubeVersion));
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

    /** Texts among values may be templates themselves. */
    private static JsonNode prepared(JsonNode values) {
        if (values instanceof ObjectNode map) {
            ObjectNode copy = JSON.createObjectNode();
            map.properties()
                    .forEach(field -> copy.set(TemplateText.prepared(field.getKey()), prepared(field.getValue())));
            return copy;
        }
        if (values instanceof ArrayNode list) {
            ArrayNode copy = JSON.createArrayNode();
            list.forEach(item -> copy.add(prepared(item)));
            return copy;
        }
        return values.isTextual() ? TextNode.valueOf(TemplateText.prepared(values.asText())) : values;
    }
}
