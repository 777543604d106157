package io.busbar.operator.sidecarset.validation;

import io.busbar.operator.sidecarset.hash.CanonicalQuantity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerResizePolicy;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a container's resources must be. Pure functions, any thread. */
final class ResourceRules {

    private ResourceRules() {}

    static void check(Field container, Container object) {
        ResourceRequirements resources = object.getResources();
        if (resources != null) {
            Field at = container.child("resources");
            Map<String, BigDecimal> limits = amounts(at.child("limits"), resources.getLimits());
            amounts(at.child("requests"), resources.getRequests()).forEach((name, request) -> {
                BigDecimal limit = limits.get(name);
                if (limit != null && request.compareTo(limit) > 0) {
                    at.child("requests")
                            .key(name)
                            .invalid(request.toPlainString(), "must be less than or equal to " + name + " limit");
                }
            });
        }
        container.<ContainerResizePolicy>each("resizePolicy", object.getResizePolicy(), (at, policy) -> {
            at.child("resourceName").oneOf(policy.getResourceName(), "cpu", "memory");
            at.child("restartPolicy").oneOf(policy.getRestartPolicy(), "NotRequired", "RestartContainer");
        });
    }

    private static Map<String, BigDecimal> amounts(Field at, @Nullable Map<String, Quantity> resources) {
        Map<String, BigDecimal> amounts = new HashMap<>();
        if (resources != null) {
            resources.forEach((name, quantity) -> {
                at.key(name).text(name, Names::qualified);
                amount(at.key(name), quantity).ifPresent(amount -> amounts.put(name, amount));
            });
        }
        return amounts;
    }

    /** The amount of a quantity that is one, and not negative. */
    static Optional<BigDecimal> amount(Field at, Quantity quantity) {
        Optional<BigDecimal> amount =
                CanonicalQuantity.parse(quantity.toString()).map(CanonicalQuantity::value);
        if (amount.isEmpty()) {
            at.invalid(
                    quantity,
                    "quantities must match the regular expression" + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        } else if (amount.get().signum() < 0) {
            at.invalid(quantity, "must be greater than or equal to 0");
        }
        return amount;
    }
}
