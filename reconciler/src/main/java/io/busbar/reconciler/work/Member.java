package io.busbar.reconciler.work;

import io.busbar.reconciler.event.Events;
import io.busbar.reconciler.write.ApiRequests;
import io.busbar.reconciler.write.FetchedObjects;
import io.busbar.reconciler.write.Schemas;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Optional;

/**
 * One of the clusters that an operator works in, with what all its controllers share there.
 *
 * <p>Any thread.
 *
 * @param name empty for the operator's own
 * @param fetched whole objects
 * @param events empty where others record them
 */
record Member(
        String name,
        KubernetesClient client,
        ApiRequests api,
        Schemas schemas,
        FetchedObjects fetched,
        Optional<Events> events) {

    /** @param instance which process this is; stands in Events */
    static Member of(String name, KubernetesClient client, String instance, MeterRegistry meters) {
        ApiRequests api = new ApiRequests(client);
        return new Member(
                name,
                client,
                api,
                new Schemas(api, System::nanoTime),
                new FetchedObjects(api, FetchedObjects.STANDARD_BYTES),
                Optional.of(new Events(api, instance, meters, Clock.systemUTC())));
    }
}
