package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.status.Causes;
import io.busbar.sandbox.syntax.Quantity;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of ResourceQuotas.
 *
 * <p>Immutable. The words of {@code pkg/apis/core/validation}.
 */
public final class QuotaRules extends BuiltInRules {

    public QuotaRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void check(Causes causes, ObjectNode object, @Nullable ObjectNode before, String subresource) {
        JsonNode spec = object.path("spec");
        if (subresource.isEmpty()) {
            amounts(causes, "spec.hard", spec.path("hard"));
            Scopes.check(causes, spec);
            if (before != null
                    && !set(spec.path("scopes")).equals(set(before.path("spec").path("scopes")))) {
                causes.invalid("spec.scopes", spec.path("scopes"), "field is immutable");
            }
        } else {
            amounts(causes, "status.hard", object.path("status").path("hard"));
            amounts(causes, "status.used", object.path("status").path("used"));
        }
    }

    private static Set<JsonNode> set(JsonNode list) {
        Set<JsonNode> set = new HashSet<>();
        list.forEach(set::add);
        return set;
    }

    private static void amounts(Causes causes, String path, JsonNode amounts) {
        Amounts.of(amounts).byName().forEach((name, quantity) -> {
            String at = path + "[" + name + "]";
            ResourceNames.checkOfQuota(causes, at, name);
            amount(causes, at, name, quantity);
        });
    }

    private static void amount(Causes causes, String path, String name, Quantity quantity) {
        if (quantity.value().signum() < 0) {
            causes.invalid(path, quantity.canonical(), "must be greater than or equal to 0");
        }
        if (ResourceNames.isWhole(name) && quantity.value().stripTrailingZeros().scale() > 0) {
            causes.invalid(path, quantity.canonical(), "must be an integer");
        }
    }
}
