package io.busbar.operator.sidecarset.resources;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.operator.sidecarset.hash.CanonicalQuantity;
import io.busbar.operator.sidecarset.v1beta1.ResourcesPolicy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What several containers have of resources, in sum or at most.
 *
 * <p>Pure functions, any thread. Source of the rules: OpenKruise. One container without a limit makes the whole
 * unlimited; one without a request counts with its limit, as the API server sees to it, else with nothing.
 */
final class ContainerTotals {

    private static final CanonicalQuantity NOTHING = CanonicalQuantity.decimal(BigDecimal.ZERO);

    private ContainerTotals() {}

    /** Empty where there is no limit. */
    static Optional<Amount> limit(List<JsonNode> containers, String resource, String mode) {
        Amount total = new Amount.WithUnit(NOTHING);
        for (JsonNode container : containers) {
            Optional<Amount> limit = amount(container, "limits", resource);
            if (limit.isEmpty()) {
                return Optional.empty();
            }
            total = joined(total, limit.get(), mode);
        }
        return Optional.of(total);
    }

    static Amount request(List<JsonNode> containers, String resource, String mode) {
        Amount total = new Amount.WithUnit(NOTHING);
        for (JsonNode container : containers) {
            Optional<Amount> request =
                    amount(container, "requests", resource).or(() -> amount(container, "limits", resource));
            total = request.isEmpty() ? total : joined(total, request.get(), mode);
        }
        return total;
    }

    private static Amount joined(Amount one, Amount other, String mode) {
        return ResourcesPolicy.MAX.equals(mode) ? (one.isLessThan(other) ? other : one) : one.plus(other);
    }

    private static Optional<Amount> amount(JsonNode container, String kind, String resource) {
        JsonNode quantity = container.path("resources").path(kind).path(resource);
        return quantity.isMissingNode() || quantity.isNull()
                ? Optional.empty()
                : Optional.of(Amount.quantity(quantity.asText()));
    }
}
