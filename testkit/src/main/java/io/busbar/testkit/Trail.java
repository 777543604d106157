package io.busbar.testkit;

import io.busbar.common.bus.Cause;
import io.busbar.common.bus.ReconcileOutcome;
import io.busbar.common.bus.ReconcileTask;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What an operator did, and what was asked of the API server, for a test that fails. The latest of each is kept, and no
 * object's content.
 *
 * <p>Any thread.
 */
final class Trail {

    private static final int KEPT = 2_000;
    private static final int MOST_LINES = 60;
    private static final String WORKERS = "busbar.workers.";

    private final Deque<Line> requests = new ArrayDeque<>();
    private final Deque<Line> reconciles = new ArrayDeque<>();
    /** By the address that their outcome is sent to. */
    private final Map<String, Begun> underWay = new ConcurrentHashMap<>();

    /**
     * @param namespace that it happened in; empty for none, and for all
     */
    private record Line(String namespace, String text) {}

    private record Begun(String controller, ReconcileTask task, LocalTime at, long nanos) {}

    /** Takes down the requests of a client. */
    Interceptor requests(String who) {
        return new Interceptor() {
            @Override
            public void after(
                    HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
                note(request, Integer.toString(response.code()));
            }

            @Override
            public void afterConnectionFailure(HttpRequest request, Throwable failure) {
                note(request, "no answer: " + failure.getMessage());
            }

            private void note(HttpRequest request, String outcome) {
                String path = request.uri().getPath();
                String query = request.uri().getQuery();
                add(
                        requests,
                        namespace(path),
                        now() + " " + who + " " + request.method() + " " + path + (query == null ? "" : "?" + query)
                                + " " + outcome);
            }
        };
    }

    private static String namespace(String path) {
        int begin = path.indexOf("/namespaces/");
        if (begin < 0) {
            return "";
        }
        int name = begin + "/namespaces/".length();
        int end = path.indexOf('/', name);
        return end < 0 ? path.substring(name) : path.substring(name, end);
    }

    /** Takes down the reconciles of the operator that runs on this. */
    void followReconciles(Vertx vertx) {
        vertx.eventBus().<Object>addOutboundInterceptor(this::sent);
    }

    private void sent(DeliveryContext<Object> delivery) {
        Object body = delivery.body();
        String address = delivery.message().address();
        if (body instanceof ReconcileTask task && address.startsWith(WORKERS)) {
            String name = address.substring(WORKERS.length());
            underWay.put(
                    String.valueOf(delivery.message().replyAddress()),
                    new Begun(name.substring(0, name.lastIndexOf('.')), task, now(), System.nanoTime()));
        } else if (body instanceof ReconcileOutcome outcome) {
            Begun begun = underWay.remove(address);
            if (begun != null) {
                add(reconciles, begun.task().key().namespace(), line(begun, outcome));
            }
        }
        delivery.next();
    }

    private static String line(Begun begun, ReconcileOutcome outcome) {
        Duration took = Duration.ofNanos(System.nanoTime() - begun.nanos());
        String delay = outcome.delay().isZero() ? "" : " " + outcome.delay().toMillis() + " ms";
        String error = outcome.error().isEmpty() ? "" : ": " + outcome.error();
        return heading(begun) + " → " + words(outcome.kind().name()) + delay + error + " (" + took.toMillis() + " ms)";
    }

    private static String heading(Begun begun) {
        Cause cause = begun.task().cause();
        String object = cause.kind().isEmpty()
                ? ""
                : " " + cause.kind() + " " + cause.object() + " at " + cause.resourceVersion();
        int attempt = begun.task().attempt();
        return begun.at() + " " + begun.controller() + " " + begun.task().key() + ", "
                + (attempt > 1 ? "attempt " + attempt + ", " : "") + "for "
                + words(cause.how().name()) + object;
    }

    private static String words(String constant) {
        return constant.toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static LocalTime now() {
        return LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS);
    }

    private static void add(Deque<Line> lines, String namespace, String text) {
        synchronized (lines) {
            lines.add(new Line(namespace, text));
            if (lines.size() > KEPT) {
                lines.remove();
            }
        }
    }

    /** What happened in a namespace: reconciles, those under way, and requests. */
    String report(String namespace) {
        String unended = underWay.values().stream()
                .filter(begun -> begun.task().key().namespace().equals(namespace))
                .map(begun -> "\n  " + heading(begun) + " → still under way")
                .collect(Collectors.joining());
        String mine = lines(reconciles, line -> line.namespace().equals(namespace)) + unended;
        return "reconciles in " + namespace + ":" + (mine.isEmpty() ? " none" : mine)
                + section(
                        "reconciles of what is in no namespace",
                        lines(reconciles, line -> line.namespace().isEmpty()))
                + "\nrequests in " + namespace + ":"
                + lines(requests, line -> line.namespace().equals(namespace));
    }

    private static String section(String title, String lines) {
        return lines.isEmpty() ? "" : "\n" + title + ":" + lines;
    }

    private static String lines(Deque<Line> all, Predicate<Line> which) {
        List<String> texts;
        synchronized (all) {
            texts = all.stream().filter(which).map(line -> "\n  " + line.text()).toList();
        }
        int left = Math.max(0, texts.size() - MOST_LINES);
        return (left == 0 ? "" : "\n  … and " + left + " before") + String.join("", texts.subList(left, texts.size()));
    }
}
