package io.busbar.runtime.management;

import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether each event loop of a Vert.x still takes its turns: one that is blocked, or whose thread has ended, holds up
 * all that was given to it, while the others go on.
 *
 * <p>Any context. Of the questions to a loop that does not answer one waits at a time.
 */
final class EventLoops {

    private final Vertx vertx;
    private final Duration patience;
    private final List<Loop> loops = new ArrayList<>();

    /**
     * @param patience how long a loop may be busy with one thing; less than a probe waits
     */
    EventLoops(Vertx vertx, Duration patience) {
        this.vertx = vertx;
        this.patience = patience;
        // Vert.x gives contexts their loops in turn: only the group itself knows them all.
        for (EventExecutor executor : ((VertxInternal) vertx).nettyEventLoopGroup()) {
            loops.add(new Loop(executor, loops.size()));
        }
        loops.forEach(Loop::ask);
    }

    /** Which of them do not answer; empty when all do. Completes on the caller's context, within the patience. */
    Future<Optional<String>> problem() {
        Context here = vertx.getOrCreateContext();
        Promise<Optional<String>> told = Promise.promise();
        Future.all(loops.stream().map(Loop::ask).toList())
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(asked -> here.runOnContext(now -> told.complete(blocked())));
        return told.future();
    }

    private Optional<String> blocked() {
        String names =
                loops.stream().filter(Loop::isWaitedFor).map(Loop::toString).collect(Collectors.joining(", "));
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("no answer within " + patience.toMillis() + " ms from " + names);
    }

    private static final class Loop {

        private final EventExecutor executor;
        private final AtomicReference<@Nullable Future<Void>> asked = new AtomicReference<>();
        private volatile String name;

        Loop(EventExecutor executor, int number) {
            this.executor = executor;
            this.name = "event loop " + number; // until its thread has run once
        }

        /** Completes when it has answered; on its thread. */
        Future<Void> ask() {
            Future<Void> before = asked.get();
            if (before != null && !before.isComplete()) {
                return before;
            }
            Promise<Void> answer = Promise.promise();
            if (asked.compareAndSet(before, answer.future())) {
                executor.execute(() -> {
                    name = Thread.currentThread().getName();
                    answer.complete();
                });
                return answer.future();
            }
            return ask();
        }

        boolean isWaitedFor() {
            Future<Void> last = asked.get();
            return last != null && !last.isComplete();
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
