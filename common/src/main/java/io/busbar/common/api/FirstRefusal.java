package io.busbar.common.api;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The first of several requests that the API server refuses, such as one that a webhook denies: the others are sent all
 * the same. Where it can answer none now, no other one is sent.
 *
 * <p>One thread.
 */
public final class FirstRefusal {

    private Optional<KubernetesClientException> first = Optional.empty();
    private int count;

    /** The same for a request of which nothing is to be known. */
    public void attempt(Runnable request) {
        attempt(() -> {
            request.run();
            return true;
        });
    }

    /**
     * Sends one.
     *
     * @return what comes of it; false where it is refused
     * @throws KubernetesClientException where the API server is away or overloaded, and would have each other one wait
     */
    public boolean attempt(BooleanSupplier request) {
        try {
            return request.getAsBoolean();
        } catch (KubernetesClientException refused) {
            if (!isOfOne(refused)) {
                throw refused;
            }
            first = first.or(() -> Optional.of(refused));
            count++;
            return false;
        }
    }

    /** With 500 the API server answers also where a webhook that one of them needs cannot be called. */
    private static boolean isOfOne(KubernetesClientException refused) {
        return refused.getCode() == HttpURLConnection.HTTP_INTERNAL_ERROR
                || !(ApiFailure.of(refused) instanceof ApiFailure.Unavailable);
    }

    /** Empty where none was refused. */
    public Optional<KubernetesClientException> first() {
        return first;
    }

    /** How many were refused. */
    public int count() {
        return count;
    }

    /**
     * Once all have been sent.
     *
     * @throws KubernetesClientException the first refusal
     */
    public void throwFirst() {
        if (first.isPresent()) {
            throw first.get();
        }
    }
}
