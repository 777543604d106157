package io.busbar.charts.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.charts.render.Lookup;
import io.busbar.charts.render.Lookups;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;

/**
 * What a chart looks up when its instance goes: a kind that is served no more has no objects, where it would be an
 * error at any other time. Nothing that is gone for good holds up a deletion.
 *
 * <p>Thread: as of those that it asks.
 */
record LastLookups(Lookups cluster) implements Lookups {

    @Override
    public boolean isOwn(JsonNode found) {
        return cluster.isOwn(found);
    }

    @Override
    public Optional<JsonNode> find(Lookup asked) {
        try {
            return cluster.find(asked);
        } catch (Discovery.NotServedException gone) {
            return Optional.empty();
        } catch (KubernetesClientException failure) {
            if (failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw failure;
            }
            return Optional.empty(); // it was served when it was asked for before
        }
    }
}
