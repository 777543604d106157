package io.busbar.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.http.ApiRequest;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import java.util.Comparator;
import java.util.List;

/**
 * What happened lately, in words for somebody whose test has failed.
 *
 * <p>One context. It tells names, verbs and Events, and no object's content.
 */
final class Report {

    private static final GroupResource EVENTS = GroupResource.core("events");
    private static final int MOST_LINES = 40;

    private final List<ApiRequest> requests;
    private final MemoryStore store;

    Report(List<ApiRequest> requests, MemoryStore store) {
        this.requests = requests;
        this.store = store;
    }

    String text() {
        StringBuilder text = new StringBuilder("latest requests:");
        latest(requests).forEach(request -> text.append("\n  ").append(request));
        text.append("\nEvents:");
        List<String> events = store.shelf(EVENTS).objects("").values().stream()
                .sorted(Comparator.comparing(Report::time))
                .map(Report::line)
                .toList();
        latest(events).forEach(event -> text.append("\n  ").append(event));
        return text.append(events.isEmpty() ? " none" : "").toString();
    }

    private static <T> List<T> latest(List<T> all) {
        return all.subList(Math.max(0, all.size() - MOST_LINES), all.size());
    }

    /** Whichever of its times the Event's API group has set. */
    private static String time(ObjectNode event) {
        for (String field : List.of("lastTimestamp", "eventTime", "firstTimestamp")) {
            if (event.hasNonNull(field)) {
                return event.path(field).asText();
            }
        }
        return event.path("metadata").path("creationTimestamp").asText();
    }

    private static String line(ObjectNode event) {
        JsonNode about = event.path("involvedObject");
        return time(event) + " " + event.path("type").asText() + " "
                + event.path("reason").asText() + " " + about.path("kind").asText() + " "
                + Metadata.of(event).namespace() + "/" + about.path("name").asText() + ": "
                + event.path("message").asText();
    }
}
