package io.busbar.operator.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.reconciler.shard.Buckets;
import io.busbar.reconciler.shard.ShardLeases;
import io.busbar.reconciler.shard.ShardMap;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What replicas write, as it passes by on its way to the API server: of each write when it came, from whom, and for
 * which primary, and of the map of shards every state, with the times at which it was sent and answered. Judges by that
 * alone, whatever the replicas say. Any thread.
 */
final class ShardAudit {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Of one write. */
    private record Written(long at, String member, String primary, String what) {}

    /** A state of the map: from when on it may hold, and when whoever wrote it had the answer. */
    private record State(long sent, long answered, ShardMap map) {}

    private final Vertx vertx;
    private final Config config;
    private final String lease;
    private final String kind;
    private final Pattern primaryInPath;
    private final List<Written> writes = new ArrayList<>();
    private final List<State> states = new ArrayList<>();
    /** When each Pod was asked for that was made then, by primary; guarded by the writes. */
    private final Map<String, List<Long>> made = new HashMap<>();

    private volatile Promise<Void> gate = Promise.promise();

    /**
     * @param lease that the map is in
     * @param kind of the primaries
     */
    ShardAudit(Vertx vertx, Config config, String lease, String kind) {
        this.vertx = vertx;
        this.config = config;
        this.lease = lease;
        this.kind = kind;
        this.primaryInPath = Pattern.compile("/" + kind.toLowerCase(Locale.ROOT) + "s/([^/?]+)");
        gate.complete();
    }

    /** Nobody gets through, nor an answer, until {@link #goOn}. */
    void pause() {
        gate = Promise.promise();
    }

    void goOn() {
        gate.tryComplete();
    }

    /** The way of one replica. */
    final class Way {

        private final String replica;
        private final ApiRoute route;
        /** Its Lease, by which the map names it. */
        private volatile String member = "";

        private volatile Promise<Void> open = Promise.promise();

        private Way(String replica) {
            this.replica = replica;
            open.complete();
            HttpServerOptions options = new HttpServerOptions().setHttp2ClearTextEnabled(false);
            this.route = new ApiRoute(vertx, config, true, options, this::handle);
        }

        /** What is on its way, and its answers, get lost; the replica is not told. */
        void cutOff() {
            open = Promise.promise();
        }

        void mend() {
            Promise<Void> whole = Promise.promise();
            whole.complete();
            Promise<Void> cut = open;
            open = whole;
            cut.tryFail("lost");
        }

        /** As the map names it; empty before it was seen. */
        String member() {
            return member;
        }

        Future<Void> close() {
            mend();
            return route.close();
        }

        String kubeconfig() {
            return route.kubeconfig();
        }

        private void handle(ApiRoute.Passage passage) {
            if (passage.request().method().equals(HttpMethod.GET)) {
                whenOpen(passage)
                        .onSuccess(open -> passage.send()
                                .onSuccess(answer -> whenOpen(passage).onSuccess(still -> passage.answer(answer))));
                return;
            }
            passage.request()
                    .body()
                    .onSuccess(body -> whenOpen(passage).onSuccess(open -> {
                        String path = passage.request().path();
                        long sent = System.nanoTime();
                        boolean leases = path.contains("/leases");
                        if (leases) {
                            noteMember(body);
                        } else {
                            note(sent, passage.request().method() + " " + path, body);
                        }
                        passage.send(body).onSuccess(answer -> {
                            if (leases && answer.statusCode() < 300) {
                                noteMap(sent, body);
                            }
                            if (path.endsWith("/pods") && answer.statusCode() == 201) {
                                noteMade(sent, body);
                            }
                            whenOpen(passage).onSuccess(still -> passage.answer(answer));
                        });
                    }));
            passage.request().resume();
        }

        private Future<Void> whenOpen(ApiRoute.Passage passage) {
            return open.future()
                    .compose(mine -> gate.future())
                    .onFailure(lost -> passage.request().response().reset());
        }

        private void noteMember(Buffer body) {
            String name = json(body).at("/metadata/name").asText();
            if (name.startsWith(lease + "-" + replica + "-")) {
                member = name;
            }
        }

        private void note(long at, String what, Buffer body) {
            Matcher path = primaryInPath.matcher(what);
            Optional<String> primary = path.find() ? Optional.of(path.group(1)) : owner(body);
            primary.ifPresent(name -> {
                synchronized (writes) {
                    writes.add(new Written(at, member, name, what));
                }
            });
        }

        private void noteMap(long sent, Buffer body) {
            JsonNode written = json(body);
            String text = written.at("/metadata/annotations")
                    .path(ShardLeases.MAP.name())
                    .asText();
            if (written.at("/metadata/name").asText().equals(lease) && !text.isEmpty()) {
                synchronized (writes) {
                    states.add(new State(sent, System.nanoTime(), ShardMap.parse(text)));
                }
            }
        }
    }

    private void noteMade(long sent, Buffer body) {
        owner(body).ifPresent(primary -> {
            synchronized (writes) {
                made.computeIfAbsent(primary, name -> new ArrayList<>()).add(sent);
            }
        });
    }

    /**
     * When the Pod was asked for with which so many were made for a primary.
     *
     * @return by {@link System#nanoTime()}; empty if there were not so many
     */
    OptionalLong madeAt(String primary, int count) {
        synchronized (writes) {
            List<Long> times = made.getOrDefault(primary, List.of());
            return count > times.size()
                    ? OptionalLong.empty()
                    : OptionalLong.of(times.stream().sorted().toList().get(count - 1));
        }
    }

    /** Of what is made for a primary; what is deleted by its own name alone is told by that it was made. */
    private Optional<String> owner(Buffer body) {
        if (body.length() == 0) {
            return Optional.empty();
        }
        for (JsonNode owner : json(body).at("/metadata/ownerReferences")) {
            if (owner.path("kind").asText().equals(kind)) {
                return Optional.of(owner.path("name").asText());
            }
        }
        return Optional.empty();
    }

    private static JsonNode json(Buffer body) {
        try {
            return body.length() == 0 ? JSON.createObjectNode() : JSON.readTree(body.getBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    Future<Way> to(String replica) {
        Way way = new Way(replica);
        return way.route.open().map(way);
    }

    /** The map as it was written last. */
    Optional<ShardMap> map() {
        synchronized (writes) {
            return states.stream()
                    .map(State::map)
                    .max((one, other) -> Long.compare(one.generation(), other.generation()));
        }
    }

    /** Members that have written for any primary. */
    long writers() {
        synchronized (writes) {
            return writes.stream().map(Written::member).distinct().count();
        }
    }

    int written() {
        synchronized (writes) {
            return writes.size();
        }
    }

    /**
     * Every write by one to whom the bucket of its primary was not given, or that came after it was given to another.
     *
     * @param uids of the primaries, by name
     */
    List<String> trespasses(Map<String, String> uids) {
        List<String> wrong = new ArrayList<>();
        List<State> history;
        List<Written> all;
        synchronized (writes) {
            history = states.stream()
                    .sorted((one, other) ->
                            Long.compare(one.map().generation(), other.map().generation()))
                    .toList();
            all = List.copyOf(writes);
        }
        for (Written write : all) {
            String uid = uids.get(write.primary());
            if (uid != null && !mayWrite(write, uid, history)) {
                wrong.add(write.what() + " by " + write.member() + " at " + write.at());
            }
        }
        return wrong;
    }

    private static boolean mayWrite(Written write, String uid, List<State> history) {
        for (int i = 0; i < history.size(); i++) {
            State state = history.get(i);
            ShardMap map = state.map();
            String holder = map.holders().get(Buckets.of(uid, map.holders().size()));
            long until = i + 1 < history.size() ? history.get(i + 1).answered() : Long.MAX_VALUE;
            if (holder.equals(write.member()) && state.sent() - write.at() <= 0 && write.at() - until <= 0) {
                return true;
            }
        }
        return false;
    }
}
