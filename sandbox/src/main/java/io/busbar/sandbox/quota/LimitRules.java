package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.syntax.Names;
import io.busbar.sandbox.syntax.Quantity;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules of LimitRanges: what a container is given follows from what it may have at most and must have at least.
 *
 * <p>Immutable. The words of {@code pkg/apis/core/validation}.
 */
public final class LimitRules extends BuiltInRules {

    private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");
    private static final List<String> FIELDS =
            List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");

    public LimitRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void fillDefaults(ObjectNode object) {
        Fields.each(object.path("spec").path("limits"), limit -> {
            if (limit.path("type").asText().equals("Container")) {
                fill(limit, "max", "default");
                fill(limit, "default", "defaultRequest");
                fill(limit, "min", "defaultRequest");
            }
        });
    }

    private static void fill(ObjectNode limit, String from, String to) {
        limit.path(from).properties().forEach(entry -> {
            ObjectNode target = limit.withObject("/" + to);
            if (!target.has(entry.getKey())) {
                target.set(entry.getKey(), entry.getValue());
            }
        });
    }

    @Override
    protected void check(Causes causes, ObjectNode object, @Nullable ObjectNode before, String subresource) {
        Set<String> types = new HashSet<>();
        JsonNode limits = object.path("spec").path("limits");
        for (int i = 0; i < limits.size(); i++) {
            String path = "spec.limits[" + i + "]";
            JsonNode limit = limits.path(i);
            String type = limit.path("type").asText();
            causes.invalid(path + ".type", type, Names.qualifiedName(type));
            if (!type.contains("/") && !TYPES.contains(type)) {
                causes.invalid(path + ".type", type, "must be a standard limit type or fully qualified");
            }
            if (!types.add(type)) {
                causes.duplicate(path + ".type", limit.path("type"));
            }
            limit(causes, path, type, limit);
        }
    }

    private static void limit(Causes causes, String path, String type, JsonNode limit) {
        Set<String> names = new TreeSet<>();
        for (String field : FIELDS) {
            JsonNode amounts = limit.path(field);
            if (type.equals("Pod") && field.startsWith("default")) {
                if (!amounts.isEmpty()) {
                    causes.forbidden(path + "." + field, "may not be specified when `type` is 'Pod'");
                }
                continue;
            }
            if (field.equals("maxLimitRequestRatio")
                    && type.equals("PersistentVolumeClaim")
                    && !limit.path("min").has("storage")
                    && !limit.path("max").has("storage")) {
                causes.required(
                        path + ".limits",
                        "either minimum or maximum storage value is required, but neither was provided");
            }
            amounts.fieldNames().forEachRemaining(name -> {
                names.add(name);
                String at = path + "." + field + "[" + name + "]";
                if (type.equals("Pod") || type.equals("Container")) {
                    ResourceNames.checkOfContainer(causes, at, name);
                } else {
                    ResourceNames.check(causes, at, name);
                }
            });
        }
        names.forEach(name -> new Bounds(causes, path, name, limit).check());
    }

    /** What is said of one resource. */
    private record Bounds(Causes causes, String path, String name, JsonNode limit) {

        void check() {
            boolean pod = limit.path("type").asText().equals("Pod");
            Quantity max = of("max");
            Quantity min = of("min");
            Quantity given = pod ? null : of("default");
            Quantity request = pod ? null : of("defaultRequest");
            ordered(min, max, "min", min, "min value %s is greater than max value %s");
            ordered(min, request, "defaultRequest", request, "min value %s is greater than default request value %s");
            ordered(request, max, "defaultRequest", request, "default request value %s is greater than max value %s");
            ordered(
                    request,
                    given,
                    "defaultRequest",
                    request,
                    "default request value %s is greater than default limit value %s");
            ordered(min, given, "default", min, "min value %s is greater than default value %s");
            ordered(given, max, "default", max, "default value %s is greater than max value %s");
            ratio(of("maxLimitRequestRatio"), min, max);
            if (!ResourceNames.mayBeOvercommitted(name)
                    && given != null
                    && request != null
                    && given.value().compareTo(request.value()) != 0) {
                invalid(
                        "defaultRequest",
                        request,
                        String.format(
                                "default value %s must equal to defaultRequest value %s in %s",
                                given.canonical(), request.canonical(), name));
            }
        }

        private @Nullable Quantity of(String field) {
            return Quantity.parse(limit.path(field).path(name).asText()).orElse(null);
        }

        private void ordered(
                @Nullable Quantity less,
                @Nullable Quantity more,
                String field,
                @Nullable Quantity shown,
                String words) {
            if (less != null && more != null && shown != null && less.value().compareTo(more.value()) > 0) {
                invalid(field, shown, String.format(words, less.canonical(), more.canonical()));
            }
        }

        private void ratio(@Nullable Quantity ratio, @Nullable Quantity min, @Nullable Quantity max) {
            if (ratio == null) {
                return;
            }
            if (ratio.value().compareTo(BigDecimal.ONE) < 0) {
                invalid("maxLimitRequestRatio", ratio, "ratio " + ratio.canonical() + " is less than 1");
            }
            if (min != null && max != null) {
                double most = max.value().doubleValue() / min.value().doubleValue();
                if (ratio.value().doubleValue() > most) {
                    invalid(
                            "maxLimitRequestRatio",
                            ratio,
                            String.format(
                                    Locale.ROOT, "ratio %s is greater than max/min = %f", ratio.canonical(), most));
                }
            }
        }

        private void invalid(String field, Quantity shown, String why) {
            causes.invalid(path + "." + field + "[" + name + "]", shown.canonical(), why);
        }
    }
}
