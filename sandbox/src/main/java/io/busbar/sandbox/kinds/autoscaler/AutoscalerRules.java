package io.busbar.sandbox.kinds.autoscaler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rules of autoscalers: their bounds, what they scale, and by what. Any thread. */
public final class AutoscalerRules extends BuiltInRules {

    private static final int PERCENT = 80;
    private static final String UNKNOWN = "<unknown>/";
    private static final int MOST_SHOWN = 2;
    private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
    /** By the type of a metric, the field that has the rest of it. */
    private static final Map<String, String> SOURCES = new TreeMap<>(Map.of(
            "ContainerResource", "containerResource",
            "External", "external",
            "Object", "object",
            "Pods", "pods",
            "Resource", "resource"));

    public static final RulesFile RULES = RulesFile.beside(
            AutoscalerRules.class,
            Map.of(
                    "bounds", AutoscalerRules::bounds,
                    "fromZero", AutoscalerRules::fromZero,
                    "reference", AutoscalerRules::reference,
                    "metric", AutoscalerRules::metric),
            Map.of("targets", AutoscalerRules::targets));

    public AutoscalerRules(Facts facts) {
        super(facts);
    }

    /** CPU is what counts where nothing is told. */
    @Override
    protected void fillDefaults(ObjectNode autoscaler) {
        if (type().version().equals("v1")
                && !autoscaler.path("metadata").path("annotations").has(METRICS)) {
            Fields.number(Fields.in(autoscaler, "spec"), "targetCPUUtilizationPercentage", PERCENT);
        }
    }

    private static void bounds(Place spec) {
        long least = spec.get("minReplicas").asLong();
        Place most = spec.field("maxReplicas");
        long maximum = most.value().asLong();
        if (maximum < 1) {
            most.required("must be set and greater than 0");
        }
        if (maximum < least) {
            most.invalid(Long.toString(maximum), "must be greater than or equal to `minReplicas`");
        }
    }

    private static void fromZero(Place spec) {
        if (spec.get("minReplicas").asLong() != 0) {
            return;
        }
        for (JsonNode metric : spec.get("metrics")) {
            if (List.of("Object", "External").contains(metric.path("type").asText())) {
                return;
            }
        }
        spec.field("metrics")
                .forbidden("must specify at least one Object or External metric to support scaling to zero replicas");
    }

    private static void reference(Place apiVersion) {
        String text = apiVersion.value().asText();
        if (text.chars().filter(c -> c == '/').count() > 1) {
            apiVersion.invalid("unexpected GroupVersion string: " + text);
        } else if (!text.contains("/") && !apiVersion.parent().path().endsWith("describedObject")) {
            apiVersion.invalid(GoText.quote(text), "apiVersion must specify API group");
        }
    }

    /** The type is told of twice where it is none: it is no type, and has no source. */
    private static void metric(Place metric) {
        Place type = metric.field("type");
        if (type.isBlank()) {
            type.required("must specify a metric source type");
        }
        String source = SOURCES.get(type.value().asText());
        if (source == null) {
            type.unsupported(SOURCES.keySet());
            type.unsupported(SOURCES.keySet());
        } else if (!metric.value().has(source)) {
            metric.field(source).required("must populate information for the given metric source");
        }
        SOURCES.values().stream()
                .filter(other -> !other.equals(source) && metric.value().has(other))
                .forEach(other -> metric.field(other).forbidden("must populate the given metric source only"));
    }

    /** The cell of what nobody has measured. */
    private static String targets(JsonNode autoscaler) {
        JsonNode percentage = autoscaler.at("/spec/targetCPUUtilizationPercentage");
        if (percentage.isNumber()) {
            return "cpu: " + UNKNOWN + percentage.asText() + "%";
        }
        List<String> targets = new ArrayList<>();
        for (JsonNode metric : autoscaler.at("/spec/metrics")) {
            targets.add(target(metric));
        }
        if (targets.isEmpty()) {
            return "<none>";
        }
        String more = targets.size() > MOST_SHOWN ? " + " + (targets.size() - MOST_SHOWN) + " more..." : "";
        return String.join(", ", targets.subList(0, Math.min(MOST_SHOWN, targets.size()))) + more;
    }

    private static String target(JsonNode metric) {
        String type = metric.path("type").asText();
        JsonNode source =
                metric.path(type.isEmpty() ? type : Character.toLowerCase(type.charAt(0)) + type.substring(1));
        JsonNode target = source.path("target");
        String name = source.has("name") ? source.path("name").asText() + ": " : "";
        return name
                + UNKNOWN
                + (target.has("averageUtilization")
                        ? target.path("averageUtilization").asText() + "%"
                        : target.has("averageValue")
                                ? target.path("averageValue").asText() + (type.equals("Resource") ? "" : " (avg)")
                                : target.path("value").asText());
    }
}
