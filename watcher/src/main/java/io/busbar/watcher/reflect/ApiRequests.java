package io.busbar.watcher.reflect;

import io.busbar.common.watch.WatchSpec;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one stream. Any thread.
 *
 * <p>Lists name no resourceVersion: they show the latest state, so that a list never takes the store back in time. All
 * ask for objects without managedFields, unless these are wanted: a server that can't leave them out passes over that.
 * Source: KEP-5958.
 */
final class ApiRequests {

    private static final String WHOLE = "application/json";
    private static final String PARTIAL_LIST = WHOLE + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    private static final String PARTIAL = WHOLE + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

    private static final String MANAGED_FIELDS = "metadata.managedFields";

    private final HttpClient http;
    private final String collection;
    private final String selectors;
    private final boolean metadataOnly;
    private final String dropped;
    private final ReflectorOptions options;

    /**
     * @param namespace null for all
     */
    ApiRequests(HttpClient http, URI server, WatchSpec<?> spec, @Nullable String namespace, ReflectorOptions options) {
        this.http = http;
        String root = server.toString();
        String path =
                namespace == null ? spec.resource().path() : spec.resource().path(namespace);
        this.collection = (root.endsWith("/") ? root.substring(0, root.length() - 1) : root) + path;
        this.selectors =
                parameter("labelSelector", spec.labelSelector()) + parameter("fieldSelector", spec.fieldSelector());
        this.metadataOnly = spec.metadataOnly();
        this.dropped = spec.fields().contains(MANAGED_FIELDS) ? "" : ";drop=" + MANAGED_FIELDS;
        this.options = options;
    }

    HttpRequest page(String continuation) {
        return page(continuation, metadataOnly ? PARTIAL_LIST : WHOLE);
    }

    HttpRequest pageOfMetadata(String continuation) {
        return page(continuation, PARTIAL_LIST);
    }

    /** May come packed, to a twentieth of its size: less to decrypt. */
    private HttpRequest page(String continuation, String accepted) {
        return request("limit=" + options.pageSize() + parameter("continue", continuation), accepted)
                .header("Accept-Encoding", "gzip")
                .build();
    }

    HttpRequest watch(String resourceVersion, Duration lifetime) {
        return watchFrom(parameter("resourceVersion", resourceVersion), lifetime);
    }

    /** Source: KEP-3157; the resourceVersion is left out as in client-go, which asks for the latest state. */
    HttpRequest streamingList(Duration lifetime) {
        return watchFrom("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", lifetime);
    }

    private HttpRequest watchFrom(String from, Duration lifetime) {
        String query = "watch=true&allowWatchBookmarks=true&timeoutSeconds=" + lifetime.toSeconds() + from;
        return request(query, metadataOnly ? PARTIAL : WHOLE).build();
    }

    private HttpRequest.Builder request(String query, String accepted) {
        return http.newHttpRequestBuilder()
                .uri(collection + "?" + query + selectors)
                .header("Accept", accepted.equals(WHOLE) ? WHOLE + dropped : accepted + dropped + "," + WHOLE + dropped)
                .timeout(options.listSilence().toMillis(), TimeUnit.MILLISECONDS)
                .forStreaming();
    }

    private static String parameter(String name, String value) {
        return value.isEmpty() ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
