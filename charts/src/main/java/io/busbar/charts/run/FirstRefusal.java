package io.busbar.charts.run;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What the API server refuses first of several requests, such as what a webhook denies: that keeps no other one. Where
 * it does not answer at all, no other one is sent.
 *
 * <p>One thread.
 */
final class FirstRefusal {

    private Optional<KubernetesClientException> first = Optional.empty();

    /**
     * Sends one.
     *
     * @return what comes of it; false where it is refused
     */
    boolean heed(BooleanSupplier request) {
        try {
            return request.getAsBoolean();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() <= 0) {
                throw refused;
            }
            first = first.or(() -> Optional.of(refused));
            return false;
        }
    }

    /**
     * Once all have been sent.
     *
     * @throws KubernetesClientException the first refusal
     */
    void tell() {
        if (first.isPresent()) {
            throw first.get();
        }
    }
}
