package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.Quantity;
import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.ResourceNames;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules of ResourceQuotas and of LimitRanges. What a container is given follows from what it may have at most and
 * must have at least.
 *
 * <p>Immutable. The words of {@code pkg/apis/core/validation}.
 */
public final class QuotaRules {

    public static final RulesFile RULES = RulesFile.beside(
            QuotaRules.class,
            Map.of(
                    "amounts", QuotaRules::amounts,
                    "scopes", ScopeCheck::check,
                    "sameScopes", ScopeCheck::checkSame,
                    "given", QuotaRules::given,
                    "limits", QuotaRules::limits),
            Map.of("requests", quota -> used(quota, false), "limits", quota -> used(quota, true)));
    private static final Set<String> TYPES = Set.of("Pod", "Container", "PersistentVolumeClaim");
    private static final List<String> FIELDS =
            List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");

    private QuotaRules() {}

    private static void amounts(Place amounts) {
        Amounts.of(amounts.value()).byName().forEach((name, quantity) -> {
            Place amount = amounts.entry(name);
            ResourceNames.checkOfQuota(amount, name);
            if (quantity.value().signum() < 0) {
                amount.invalid(GoText.quote(quantity.canonical()), "must be greater than or equal to 0");
            }
            if (ResourceNames.isWhole(name)
                    && quantity.value().stripTrailingZeros().scale() > 0) {
                amount.invalid(GoText.quote(quantity.canonical()), "must be an integer");
            }
        });
    }

    private static void given(Place place) {
        ObjectNode limit = (ObjectNode) place.value();
        fill(limit, "max", "default");
        fill(limit, "default", "defaultRequest");
        fill(limit, "min", "defaultRequest");
    }

    private static void fill(ObjectNode limit, String from, String to) {
        limit.path(from).properties().forEach(entry -> {
            ObjectNode target = limit.withObject("/" + to);
            if (!target.has(entry.getKey())) {
                target.set(entry.getKey(), entry.getValue());
            }
        });
    }

    private static void limits(Place limits) {
        Set<String> types = new HashSet<>();
        for (Place limit : limits.each()) {
            Place type = limit.field("type");
            String name = limit.text("type");
            type.invalid(GoText.quote(name), Names.qualifiedName(name));
            if (!name.isEmpty() && !name.contains("/") && !TYPES.contains(name)) {
                type.invalid(GoText.quote(name), "must be a standard limit type or fully qualified");
            }
            if (!types.add(name)) {
                type.duplicate(GoText.quote(name));
            }
            limit(limit, name);
        }
    }

    private static void limit(Place limit, String type) {
        Set<String> names = new TreeSet<>();
        for (String field : FIELDS) {
            Place amounts = limit.field(field);
            if (type.equals("Pod") && field.startsWith("default")) {
                if (!amounts.value().isEmpty()) {
                    amounts.forbidden("may not be specified when `type` is 'Pod'");
                }
                continue;
            }
            if (field.equals("maxLimitRequestRatio")
                    && type.equals("PersistentVolumeClaim")
                    && !limit.get("min").has("storage")
                    && !limit.get("max").has("storage")) {
                limit.field("limits")
                        .required("either minimum or maximum storage value is required, but neither was provided");
            }
            amounts.value().fieldNames().forEachRemaining(name -> {
                names.add(name);
                if (type.equals("Pod") || type.equals("Container")) {
                    ResourceNames.checkOfContainer(amounts.entry(name), name);
                } else {
                    ResourceNames.check(amounts.entry(name), name);
                }
            });
        }
        names.forEach(name -> new Bounds(limit, name).check());
    }

    /** What is said of one resource. */
    private record Bounds(Place limit, String name) {

        void check() {
            ordered("min", "max", "min", "min", "min value %s is greater than max value %s");
            ordered(
                    "min",
                    "defaultRequest",
                    "defaultRequest",
                    "defaultRequest",
                    "min value %s is greater than default request value %s");
            ordered(
                    "defaultRequest",
                    "max",
                    "defaultRequest",
                    "defaultRequest",
                    "default request value %s is greater than max value %s");
            ordered(
                    "defaultRequest",
                    "default",
                    "defaultRequest",
                    "defaultRequest",
                    "default request value %s is greater than default limit value %s");
            ordered("min", "default", "default", "min", "min value %s is greater than default value %s");
            ordered("default", "max", "default", "max", "default value %s is greater than max value %s");
            ratio(of("maxLimitRequestRatio"), of("min"), of("max"));
            Quantity given = of("default");
            Quantity request = of("defaultRequest");
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
            return limit.text("type").equals("Pod") && field.startsWith("default")
                    ? null
                    : Quantity.parse(limit.get(field).path(name).asText()).orElse(null);
        }

        /** @param words what is wrong where the first amount is more than the second */
        private void ordered(String lesser, String greater, String field, String shown, String words) {
            Quantity less = of(lesser);
            Quantity more = of(greater);
            if (less != null && more != null && less.value().compareTo(more.value()) > 0) {
                invalid(
                        field,
                        shown.equals(lesser) ? less : more,
                        String.format(words, less.canonical(), more.canonical()));
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
            limit.field(field).entry(name).invalid(GoText.quote(shown.canonical()), why);
        }
    }

    /** A cell: what is used of what there is, of limits or of all else. */
    private static String used(JsonNode quota, boolean limits) {
        StringJoiner cell = new StringJoiner(", ");
        JsonNode hard = quota.at("/status/hard");
        Set<String> names = new TreeSet<>();
        hard.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            if (name.startsWith("limits.") == limits) {
                String used = quota.at("/status/used").path(name).asText("0");
                cell.add(name + ": " + used + "/" + hard.path(name).asText());
            }
        }
        return cell.toString();
    }
}
