package io.busbar.sandbox.faults;

import static io.busbar.sandbox.faults.Secrets.PATH;
import static io.busbar.sandbox.faults.Secrets.get;
import static io.busbar.sandbox.faults.Secrets.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.sandbox.Sandbox;
import io.busbar.sandbox.SandboxOptions;
import io.busbar.sandbox.VertxSandbox;
import io.busbar.sandbox.clock.ManualClock;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LagsTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Vertx VERTX = Vertx.vertx();
    private static final ManualClock CLOCK = ManualClock.atNow();
    private static Sandbox sandbox;
    private static Secrets secrets;
    private static Secrets shortMemory;
    private static Sandbox forgetful;

    @BeforeAll
    static void start() throws Exception {
        SandboxOptions options = SandboxOptions.defaults()
                .withTls(false)
                .withClock(CLOCK)
                .withNodes(0)
                .withBookmarks(Duration.ofMillis(20));
        sandbox = get(VertxSandbox.start(VERTX, options));
        secrets = new Secrets(sandbox);
        forgetful = get(VertxSandbox.start(VERTX, options.withHistory(2)));
        shortMemory = new Secrets(forgetful);
    }

    @BeforeEach
    void starts_empty() throws Exception {
        secrets.send("DELETE", PATH, "");
        secrets.create("before");
    }

    @AfterEach
    void clear() throws Exception {
        get(sandbox.faults().clear());
        get(forgetful.faults().clear());
    }

    @AfterAll
    static void stop() {
        VERTX.close();
    }

    @Test
    void events_come_late_and_in_order_by_the_clusters_clock() throws Exception {
        try (BufferedReader events = secrets.watch("resourceVersion=" + secrets.version(""))) {
            get(sandbox.faults().inject(Lag.ofWatches("secrets").by(HOUR)));
            secrets.create("first");
            get(CLOCK.advance(Duration.ofMinutes(30)));
            secrets.create("second");
            secrets.delete("first");
            assertThat(events.ready()).isFalse();
            get(CLOCK.advance(Duration.ofMinutes(30)));
            assertThat(next(events)).isEqualTo("ADDED first");
            get(CLOCK.advance(Duration.ofMinutes(29)));
            assertThat(events.ready()).isFalse();
            get(CLOCK.advance(Duration.ofMinutes(1)));
            assertThat(next(events)).isEqualTo("ADDED second");
            assertThat(next(events)).isEqualTo("DELETED first");
        }
    }

    @Test
    void what_is_held_back_comes_when_it_is_released() throws Exception {
        String before = secrets.version("");
        InjectedLag lag = get(sandbox.faults().inject(Lag.ofWatches("secrets")));
        try (BufferedReader events = secrets.watch("resourceVersion=" + before)) {
            secrets.create("held");
            secrets.delete("held");
            get(CLOCK.advance(HOUR.multipliedBy(24)));
            assertThat(secrets.names("")).containsExactly("before");
            assertThat(events.ready()).isFalse();
            get(lag.release());
            assertThat(next(events)).isEqualTo("ADDED held");
            assertThat(next(events)).isEqualTo("DELETED held");
            secrets.create("after");
            assertThat(next(events)).isEqualTo("ADDED after");
        }
    }

    @Test
    void a_watch_that_begins_later_is_behind_like_the_others() throws Exception {
        String before = secrets.version("");
        get(sandbox.faults().inject(Lag.ofWatches("secrets").by(HOUR)));
        secrets.create("early");
        get(CLOCK.advance(Duration.ofMinutes(40)));
        secrets.create("late");
        String between = secrets.version("");
        secrets.create("latest");
        get(CLOCK.advance(Duration.ofMinutes(20)));
        try (BufferedReader old = secrets.watch("resourceVersion=" + before);
                BufferedReader fresh = secrets.watch("resourceVersion=" + between)) {
            assertThat(next(old)).isEqualTo("ADDED early");
            assertThat(fresh.ready()).isFalse();
            get(CLOCK.advance(Duration.ofMinutes(40)));
            assertThat(next(old)).isEqualTo("ADDED late");
            assertThat(next(old)).isEqualTo("ADDED latest");
            assertThat(next(fresh)).isEqualTo("ADDED latest");
        }
    }

    @Test
    void bookmarks_tell_no_more_than_the_events_before_them() throws Exception {
        String before = secrets.version("");
        get(sandbox.faults().inject(Lag.ofWatches("secrets")));
        secrets.create("hidden");
        String after = secrets.version("");
        try (BufferedReader behind = secrets.watch("allowWatchBookmarks=true&resourceVersion=" + before);
                BufferedReader ahead = secrets.watch("allowWatchBookmarks=true&resourceVersion=" + after)) {
            assertThat(next(behind)).isEqualTo("BOOKMARK " + before);
            assertThat(next(behind)).isEqualTo("BOOKMARK " + before);
            assertThat(ahead.ready()).as("no bookmark leads back").isFalse();
            get(sandbox.faults().clear());
            String line = next(behind);
            while (line.equals("BOOKMARK " + before)) {
                line = next(behind);
            }
            assertThat(line).isEqualTo("ADDED hidden");
            assertThat(next(ahead)).isEqualTo("BOOKMARK " + after);
        }
    }

    @Test
    void other_kinds_are_on_time() throws Exception {
        get(sandbox.faults().inject(Lag.ofWatches("configmaps").by(HOUR)));
        get(sandbox.faults().inject(Lag.ofAllReads("configmaps").by(HOUR)));
        try (BufferedReader events = secrets.watch("resourceVersion=" + secrets.version(""))) {
            secrets.create("on-time");
            assertThat(next(events)).isEqualTo("ADDED on-time");
            assertThat(secrets.names("?resourceVersion=0")).containsExactly("before", "on-time");
        }
    }

    @Test
    void a_watch_that_is_behind_by_more_than_the_history_is_too_old() throws Exception {
        try (BufferedReader events = shortMemory.watch("resourceVersion=" + shortMemory.version(""))) {
            InjectedLag lag = get(forgetful.faults().inject(Lag.ofWatches("secrets")));
            for (int i = 0; i < 3; i++) {
                shortMemory.create("forgotten-" + i);
            }
            get(lag.release());
            assertThat(events.readLine()).contains("ERROR", "\"code\":410");
        }
    }

    @Test
    void only_reads_that_name_a_version_may_be_stale_and_never_older_than_it() throws Exception {
        get(sandbox.faults().inject(Lag.ofCachedReads("secrets").by(HOUR)));
        String stale = secrets.version("?resourceVersion=0");
        secrets.create("one");
        String one = secrets.version("");
        secrets.create("two");
        secrets.delete("before");
        assertThat(secrets.names("")).containsExactly("one", "two");
        assertThat(secrets.exists("before")).isFalse();
        assertThat(secrets.names("?resourceVersion=0")).containsExactly("before");
        assertThat(secrets.version("?resourceVersion=0")).isEqualTo(stale);
        assertThat(secrets.names("?resourceVersion=" + stale)).containsExactly("before");
        assertThat(secrets.names("?resourceVersion=" + one)).containsExactly("before", "one");
        assertThat(secrets.names("?resourceVersionMatch=NotOlderThan&resourceVersion=" + one))
                .containsExactly("before", "one");
        assertThat(secrets.names("?resourceVersionMatch=Exact&resourceVersion=" + one))
                .containsExactly("before", "one");
        assertThat(secrets.exists("before?resourceVersion=0")).isTrue();
        assertThat(secrets.exists("one?resourceVersion=0")).isFalse();
        assertThat(secrets.exists("one?resourceVersion=" + one)).isTrue();
        get(CLOCK.advance(HOUR));
        assertThat(secrets.names("?resourceVersion=0")).containsExactly("one", "two");
    }

    @Test
    void a_watch_from_a_stale_state_tells_of_all_that_came_after_it() throws Exception {
        get(sandbox.faults().inject(Lag.ofCachedReads("secrets")));
        secrets.create("since");
        secrets.delete("before");
        try (BufferedReader events = secrets.watch("resourceVersion=0")) {
            assertThat(next(events)).isEqualTo("ADDED before");
            assertThat(next(events)).isEqualTo("ADDED since");
            assertThat(next(events)).isEqualTo("DELETED before");
        }
        try (BufferedReader events = secrets.watch("timeoutSeconds=20")) {
            assertThat(next(events)).isEqualTo("ADDED since");
        }
    }

    @Test
    void a_broken_server_breaks_the_promise_of_the_latest_state_as_well() throws Exception {
        InjectedLag lag = get(sandbox.faults().inject(Lag.ofAllReads("secrets")));
        secrets.create("unseen");
        assertThat(secrets.names("")).containsExactly("before");
        assertThat(secrets.exists("unseen")).isFalse();
        assertThat(secrets.create("unseen").statusCode())
                .as("writes know the truth")
                .isEqualTo(409);
        get(lag.release());
        assertThat(secrets.names("")).containsExactly("before", "unseen");
    }

    @Test
    void refuses_what_makes_no_sense() {
        assertThatThrownBy(() -> Lag.ofWatches("*")).hasMessageContaining("resource: '*'");
        assertThatThrownBy(() -> Lag.ofWatches("pods").by(Duration.ofSeconds(-1)))
                .hasMessageContaining("a negative duration");
    }
}
