package io.busbar.reconciler.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.common.ResourceType;
import io.busbar.common.api.ApiFailure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How kinds merge, as the API server's own schemas say: {@code /openapi/v3}, a document for each group version; from
 * servers before 1.24, which have none, {@code /openapi/v2}, one document for all.
 *
 * <p>Nothing is fetched before it is first asked for. What was fetched is kept while the index gives the document the
 * same hash, or the server answers to its ETag that it is unchanged; after {@link #FRESH} that is asked again, by one
 * caller, while the others go on with what is known: so a CRD that changes is noticed. What cannot be had, or is not
 * published yet, is unknown, and is asked for again after {@link #PATIENCE}.
 *
 * <p>Any thread; blocks while something is fetched.
 */
public final class Schemas {

    static final Duration FRESH = Duration.ofMinutes(5);
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(Schemas.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECOND_VERSION = "/openapi/v2";

    private final ApiRequests api;
    private final LongSupplier clock;
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private final ReentrantLock fetching = new ReentrantLock();
    private boolean failing;

    /**
     * @param identity tells this document from an earlier or later one at the same place
     * @param until when it is to be looked at again
     */
    private record Known(String identity, SchemaDocument document, long until) {}

    /**
     * @param clock nanoseconds that do not go back, as {@link System#nanoTime()}
     */
    public Schemas(ApiRequests api, LongSupplier clock) {
        this.api = api;
        this.clock = clock;
    }

    /**
     * Empty when the kind's schema cannot be had.
     *
     * @throws KubernetesClientException only when the thread is interrupted
     */
    Optional<Shape> of(ResourceType type) {
        String version = (type.group().isEmpty() ? "api/" : "apis/") + type.apiVersion();
        Known now = known.get(version);
        if (now == null || isDue(now)) {
            now = refreshed(version, now);
        }
        return now.document().of(type);
    }

    private boolean isDue(Known one) {
        return clock.getAsLong() - one.until() >= 0;
    }

    private Known refreshed(String version, @Nullable Known stale) {
        if (stale == null) {
            fetching.lock();
        } else if (!fetching.tryLock()) {
            return stale;
        }
        try {
            Known meanwhile = known.get(version);
            if (meanwhile != null && !isDue(meanwhile)) {
                return meanwhile;
            }
            Known next = fetch(version, meanwhile);
            known.put(version, next);
            return next;
        } finally {
            fetching.unlock();
        }
    }

    private Known fetch(String version, @Nullable Known stale) {
        try {
            Known next = fetchThird(version, stale);
            if (failing) {
                failing = false;
                log.atInfo().log("the API server's schemas can be read again");
            }
            return next;
        } catch (KubernetesClientException | IOException failure) {
            if (Thread.currentThread().isInterrupted() && failure instanceof KubernetesClientException interrupted) {
                throw interrupted;
            }
            (failing ? log.atDebug() : log.atWarn())
                    .addKeyValue("groupVersion", version)
                    .addKeyValue("error", ApiFailure.reason(failure))
                    .log(
                            "cannot read the API server's schemas; until then each change of an object is answered with an apply");
            failing = true;
            return stale == null ? unknown() : new Known(stale.identity(), stale.document(), in(PATIENCE));
        }
    }

    private Known unknown() {
        return new Known("", SchemaDocument.NONE, in(PATIENCE));
    }

    private long in(Duration time) {
        return clock.getAsLong() + time.toNanos();
    }

    private Known fetchThird(String version, @Nullable Known stale) throws IOException {
        JsonNode index;
        try {
            index = JSON.readTree(api.document("/openapi/v3", null).bytes());
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return fetchSecond();
            }
            throw failure;
        }
        String url = index.path("paths").path(version).path("serverRelativeURL").asText();
        if (url.isEmpty()) {
            return unknown();
        }
        if (stale != null && stale.identity().equals(url)) {
            return new Known(url, stale.document(), in(FRESH));
        }
        return new Known(url, SchemaDocument.read(api.document(url, null).bytes()), in(FRESH));
    }

    /** Kept under its own path, for all group versions. */
    private Known fetchSecond() throws IOException {
        Known stale = known.get(SECOND_VERSION);
        if (stale != null && !isDue(stale)) {
            return stale;
        }
        ApiRequests.Document answer = api.document(SECOND_VERSION, stale == null ? null : stale.identity());
        Known next = new Known(
                answer.tag(),
                answer.isUnchanged() && stale != null ? stale.document() : SchemaDocument.read(answer.bytes()),
                in(FRESH));
        known.put(SECOND_VERSION, next);
        return next;
    }
}
