package io.busbar.runtime.live;

import io.busbar.admission.server.ReviewLog.Decided;
import io.busbar.common.ObjectKey;
import io.busbar.common.bus.Cause;
import io.busbar.common.bus.Reason;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.shard.ShardMap;
import io.busbar.reconciler.view.ControllerView;
import io.busbar.reconciler.view.ControllerView.Delayed;
import io.busbar.reconciler.view.ControllerView.InFlight;
import io.busbar.reconciler.view.PastReconcile;
import io.busbar.reconciler.view.StoredPrimary;
import io.busbar.runtime.process.Program;
import io.busbar.watcher.WatchStatus;
import io.busbar.watcher.reflect.StreamStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * What is seen at a moment, as JSON. Times are milliseconds since 1970, not ages: what does not change is not sent
 * again. Pure; any thread.
 */
final class Picture {

    private static final int MOST_IN_FLIGHT = 50;

    private final LiveSources sources;
    private final Instant now;

    Picture(LiveSources sources, Instant now) {
        this.sources = sources;
        this.now = now;
    }

    /** In the order in which the page shows them. */
    Map<String, String> sections(List<ControllerView> controllers) {
        List<WatchStatus> watches = sources.watches().get();
        List<Decided> reviews = sources.reviews().last();
        Map<String, String> sections = new LinkedHashMap<>();
        sections.put("operator", operator().encode());
        List<Problem> problems = new Problems(now)
                .of(
                        controllers,
                        watches,
                        reviews,
                        sources.certificate().get(),
                        sources.remarks().get());
        sections.put("problems", array(problems, Problem::json).encode());
        sections.put(
                "shards",
                sources.shards()
                        .get()
                        .map(Picture::shards)
                        .orElseGet(JsonArray::new)
                        .encode());
        sections.put("controllers", array(controllers, this::controller).encode());
        sections.put(
                "streams",
                array(
                                watches.stream()
                                        .flatMap(watch ->
                                                watch.streams().stream().map(stream -> stream(watch, stream)))
                                        .toList(),
                                stream -> stream)
                        .encode());
        sections.put("webhooks", array(reviews, Picture::review).encode());
        return sections;
    }

    private JsonObject operator() {
        Program program = sources.program();
        JsonObject flags = new JsonObject();
        program.flags().forEach(flags::put);
        JsonObject operator = new JsonObject()
                .put("name", program.name())
                .put("version", program.version())
                .put("instance", sources.instance())
                .put("started", program.started().toEpochMilli())
                .put("role", sources.role().get())
                .put("flags", flags);
        sources.certificate().get().ifPresent(expiry -> operator.put("certificateExpires", expiry.toEpochMilli()));
        return operator;
    }

    /** As its watch keeps it, and what that leaves out. Takes long for a large one. */
    static JsonObject content(StoredPrimary stored) {
        return new JsonObject()
                .put("leftOut", leftOut(stored.watch()))
                .put("text", Serialization.asYaml(stored.object()));
    }

    private static String leftOut(WatchSpec<?> watch) {
        List<String> left = new ArrayList<>();
        if (watch.metadataOnly()) {
            left.add("all but metadata");
        } else if (!watch.fields().isEmpty()) {
            left.add("all but metadata's identity, " + String.join(", ", watch.fields()));
        }
        if (watch.fields().isEmpty()) {
            left.add("metadata.managedFields");
        }
        if (watch.transform() != null) {
            left.add("what " + watch.transform().name() + " leaves out");
        }
        return String.join("; ", left);
    }

    /** Each member, and what nobody holds. */
    private static JsonArray shards(ShardMap map) {
        JsonArray shards = new JsonArray();
        for (ShardMap.Member member : map.members()) {
            shards.add(shard(map, member.name())
                    .put("member", member.name())
                    .put("template", member.template())
                    .put("leaves", member.leaves()));
        }
        return map.ranges("").isEmpty()
                ? shards
                : shards.add(
                        shard(map, "").put("member", "").put("template", "").put("leaves", false));
    }

    private static JsonObject shard(ShardMap map, String holder) {
        return new JsonObject()
                .put("count", map.holders().stream().filter(holder::equals).count())
                .put("of", map.holders().size())
                .put("buckets", map.ranges(holder));
    }

    private JsonObject controller(ControllerView controller) {
        JsonObject waiting = new JsonObject();
        for (Reason reason : Reason.values()) {
            waiting.put(reason(reason), controller.queue().waiting().getOrDefault(reason, 0));
        }
        JsonObject json = new JsonObject()
                .put("name", controller.name())
                .put("kind", controller.primaries().kind())
                .put("workers", controller.workers())
                .put("waiting", waiting)
                .put("delayed", controller.queue().delayed())
                .put("busy", controller.inFlight().size())
                .put(
                        "inFlight",
                        array(
                                controller.inFlight().stream()
                                        .limit(MOST_IN_FLIGHT)
                                        .toList(),
                                this::inFlight))
                .put(
                        "retrying",
                        array(
                                controller.queue().next().stream()
                                        .filter(delayed -> delayed.failures() > 0)
                                        .toList(),
                                this::delayed));
        Duration oldest = controller.queue().oldestWait();
        // A key that has only just come is none that waits.
        return oldest.toSeconds() > 0 ? json.put("oldest", seconds(now.minus(oldest))) : json;
    }

    /** As in metrics. */
    private static String reason(Reason reason) {
        return switch (reason) {
            case CHANGE -> "change";
            case INITIAL_LIST -> "list";
            case RESYNC -> "resync";
        };
    }

    private JsonObject inFlight(InFlight one) {
        return new JsonObject()
                .put("object", one.key().toString())
                .put("id", one.reconcileId())
                .put("attempt", one.attempt())
                .put("why", why(one.cause()))
                .put("worker", one.worker())
                .put("begun", one.begun().toEpochMilli())
                .put("waited", one.waited().toMillis())
                .put("overdue", one.isOverdue())
                .put("trace", one.trace());
    }

    private JsonObject delayed(Delayed one) {
        return new JsonObject()
                .put("object", one.key().toString())
                .put("failures", one.failures())
                .put("due", seconds(now.plus(one.due())))
                .put("error", one.error());
    }

    /** What was reckoned from a duration comes out a little different each time. */
    private static long seconds(Instant about) {
        return Math.round(about.toEpochMilli() / 1000.0) * 1000;
    }

    private JsonObject stream(WatchStatus watch, StreamStatus stream) {
        JsonObject json = new JsonObject()
                .put("watch", watch.name())
                .put("namespace", stream.namespace())
                .put("phase", stream.phase().name().toLowerCase(Locale.ROOT))
                .put("synced", watch.synced())
                .put("lastSign", seconds(now.minus(stream.silence())))
                .put("resourceVersion", stream.resourceVersion())
                .put("objects", watch.objects())
                .put("bytes", watch.bytes())
                .put("relists", stream.relists())
                .put("relistReason", stream.relistReason())
                .put("failure", stream.failure());
        stream.bookmark().ifPresent(age -> json.put("lastBookmark", seconds(now.minus(age))));
        return json;
    }

    private static JsonObject review(Decided decided) {
        return new JsonObject()
                .put("at", decided.at().toEpochMilli())
                .put("webhook", decided.webhook())
                .put("operation", decided.operation())
                .put("kind", decided.kind())
                .put("object", object(decided))
                .put("dryRun", decided.dryRun())
                .put("code", decided.code())
                .put("refusal", decided.refusal())
                .put("operations", decided.operations())
                .put("bytes", decided.answerBytes())
                .put("micros", decided.took().toNanos() / 1000);
    }

    /** Of one that is still to get a name, its namespace. */
    private static String object(Decided decided) {
        if (decided.namespace().isEmpty()) {
            return decided.name();
        }
        return decided.name().isEmpty() ? "in " + decided.namespace() : decided.namespace() + "/" + decided.name();
    }

    /** The last reconciles of a primary, the latest first. */
    static JsonArray past(List<PastReconcile> past) {
        JsonArray reconciles = new JsonArray();
        for (int i = past.size() - 1; i >= 0; i--) {
            reconciles.add(past(past.get(i)));
        }
        return reconciles;
    }

    private static JsonObject past(PastReconcile one) {
        return new JsonObject()
                .put("begun", one.begun().toEpochMilli())
                .put("id", one.reconcileId())
                .put("attempt", one.attempt())
                .put("why", why(one.cause()))
                .put("waited", micros(one.waited()))
                .put("took", micros(one.took()))
                .put("outcome", one.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .put("delay", one.delay().toMillis())
                .put("error", one.error())
                .put(
                        "written",
                        array(
                                one.written(),
                                written -> new JsonObject()
                                        .put("method", written.method())
                                        .put("path", written.path())
                                        .put("code", written.code())))
                .put("unlisted", one.unlisted())
                .put("trace", one.trace());
    }

    /** By controller. */
    static JsonArray found(Map<String, List<ObjectKey>> keys) {
        JsonArray found = new JsonArray();
        keys.forEach((controller, objects) -> objects.forEach(
                key -> found.add(new JsonObject().put("controller", controller).put("object", key.toString()))));
        return found;
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1000;
    }

    static String why(Cause cause) {
        String how = cause.how().name().toLowerCase(Locale.ROOT);
        if (!cause.source().isEmpty()) {
            return how + " " + cause.source();
        }
        return cause.kind().isEmpty()
                ? how
                : how + " " + cause.kind() + " " + cause.object() + " @" + cause.resourceVersion();
    }

    private static <T> JsonArray array(Collection<T> all, Function<T, JsonObject> json) {
        return new JsonArray(all.stream().map(json).toList());
    }
}
