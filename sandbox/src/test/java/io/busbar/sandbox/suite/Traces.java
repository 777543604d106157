package io.busbar.sandbox.suite;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What cases made that would outlive them: namespaces, other objects that are in none, and finalizers that nobody would
 * take away. What is in a namespace goes with it. <i>One thread</i>, that of the cases.
 */
final class Traces {

    private static final Pattern WITHIN_NAMESPACE = Pattern.compile(".*/namespaces/[^/]+/.*");
    private static final Set<String> MAKES = Set.of("POST", "PUT", "PATCH");

    private final Deque<String> objects = new ArrayDeque<>();
    private final Deque<String> held = new ArrayDeque<>();
    private final List<String> swept = new ArrayList<>();

    /** Takes note of what a request made. */
    void note(String method, String url, String body, Answer answer) {
        if (!MAKES.contains(method) || answer.code() >= 300 || url.contains("dryRun")) {
            return;
        }
        String name = answer.text("/metadata/name");
        String path = url.replaceFirst("\\?.*", "");
        String object = method.equals("POST") ? path + "/" + name : path;
        if (!name.isEmpty() && object.endsWith("/" + name)) {
            if (answer.code() == 201 && !WITHIN_NAMESPACE.matcher(object).matches()) {
                objects.push(object);
            }
            if (body.contains("finalizers")) {
                held.push(object);
            }
        }
    }

    /** Deletes all, the latest first. */
    void sweep(Api api) {
        while (!held.isEmpty()) {
            release(api, held.pop());
        }
        while (!objects.isEmpty()) {
            String object = objects.pop();
            api.delete(object, "{'propagationPolicy':'Background'}");
            swept.add(object);
        }
    }

    private static void release(Api api, String object) {
        JsonNode finalizers = api.get(object).body().at("/metadata/finalizers");
        if (!finalizers.isEmpty()) {
            api.patch(object, Api.MERGE, "{'metadata':{'finalizers':null}}");
        }
    }

    /** Waits until all that was swept is gone: a server may take its time. */
    void awaitNone(Api api) {
        for (String object : swept) {
            Api.until(() -> api.get(object), answer -> answer.code() == 404);
        }
        swept.clear();
    }
}
