package io.busbar.sandbox.kinds.autoscaler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.syntax.GoText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rules of autoscalers: their bounds, what they scale, and by what. Any thread. */
public final class AutoscalerRules extends BuiltInRules {

    private static final int PERCENT = 80;
    private static final int PERIOD_SECONDS = 15;
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
                    "percentage", AutoscalerRules::percentage,
                    "fromZero", AutoscalerRules::fromZero,
                    "reference", AutoscalerRules::reference,
                    "metric", AutoscalerRules::metric,
                    "resourceTarget", AutoscalerRules::resourceTarget),
            Map.of("targets", AutoscalerColumns::targets));

    public AutoscalerRules(Facts facts) {
        super(facts);
    }

    /** At least one replica, and CPU as what counts where nothing is told. */
    @Override
    protected void fillDefaults(ObjectNode autoscaler) {
        ObjectNode spec = Fields.in(autoscaler, "spec");
        Fields.number(spec, "minReplicas", 1);
        if (type().version().equals("v1")) {
            if (!autoscaler.path("metadata").path("annotations").has(METRICS)) {
                Fields.number(spec, "targetCPUUtilizationPercentage", PERCENT);
            }
            return;
        }
        if (spec.path("metrics").isEmpty()) {
            ObjectNode cpu = spec.putArray("metrics").addObject().put("type", "Resource");
            cpu.putObject("resource")
                    .put("name", "cpu")
                    .putObject("target")
                    .put("type", "Utilization")
                    .put("averageUtilization", PERCENT);
        }
        Fields.ifObject(spec.get("behavior"), AutoscalerRules::behavior);
    }

    private static void behavior(ObjectNode behavior) {
        ObjectNode up = Fields.in(behavior, "scaleUp");
        Fields.number(up, "stabilizationWindowSeconds", 0);
        policies(up, 4);
        policies(Fields.in(behavior, "scaleDown"), 0);
    }

    /** @param pods how many at a time, if any number is a default */
    private static void policies(ObjectNode rules, int pods) {
        Fields.text(rules, "selectPolicy", "Max");
        if (rules.path("policies").isEmpty()) {
            ArrayNode policies = rules.putArray("policies");
            if (pods > 0) {
                policy(policies, "Pods", pods);
            }
            policy(policies, "Percent", 100);
        }
    }

    private static void policy(ArrayNode policies, String type, int value) {
        policies.addObject().put("type", type).put("value", value).put("periodSeconds", PERIOD_SECONDS);
    }

    private static void bounds(Place spec) {
        long least = spec.get("minReplicas").asLong();
        Place most = spec.field("maxReplicas");
        long maximum = most.value().asLong();
        if (least < 1) {
            spec.field("minReplicas").invalid("must be greater than or equal to 1");
        }
        if (maximum < 1) {
            most.required("must be set and greater than 0");
        }
        if (maximum < least) {
            most.invalid(Long.toString(maximum), "must be greater than or equal to `minReplicas`");
        }
    }

    /** It is a metric in the version that is checked. */
    private static void percentage(Place spec) {
        Place percentage = spec.field("targetCPUUtilizationPercentage");
        if (percentage.value().isNumber() && percentage.value().asLong() < 1) {
            percentage
                    .besides("spec.metrics[0].resource.target.averageUtilization")
                    .invalid("must be greater than 0");
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

    private static void reference(Place reference) {
        for (String field : List.of("kind", "name")) {
            String value = reference.text(field);
            if (value.isEmpty()) {
                reference.field(field).required();
            } else if (value.contains("/")) {
                reference.field(field).invalid("may not contain '/'");
            }
        }
        String apiVersion = reference.text("apiVersion");
        if (apiVersion.chars().filter(c -> c == '/').count() > 1) {
            reference.field("apiVersion").invalid("unexpected GroupVersion string: " + apiVersion);
        } else if (!apiVersion.contains("/") && !reference.path().endsWith("describedObject")) {
            reference.field("apiVersion").invalid(GoText.quote(apiVersion), "apiVersion must specify API group");
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

    private static void resourceTarget(Place source) {
        Place target = source.field("target");
        boolean share = target.value().has("averageUtilization");
        boolean amount = target.value().has("averageValue");
        if (!share && !amount) {
            target.field("averageUtilization").required("must set either a target raw value or a target utilization");
        } else if (share && amount) {
            target.field("averageValue").forbidden("may not set both a target raw value and a target utilization");
        }
    }
}
