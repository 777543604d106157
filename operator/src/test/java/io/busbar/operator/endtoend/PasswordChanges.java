package io.busbar.operator.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Has all passwords of a cluster changed again and again, whatever else happens to it. Asks on a thread of its own; the
 * rest is for one thread.
 */
final class PasswordChanges {

    /** What each change needs, as all have one. */
    static final String SPEC = ", auth: {rotation: {application: true, passwordRetentionSeconds: 10}}";

    private static final Map<String, String> KEYS = Map.of(
            "root", "root-password",
            "busbar_operator", "operator-password",
            "busbar_replication", "replication-password",
            "busbar_application", "application-password");

    private final Cluster cluster;
    private final Databases databases;
    private final String name;
    private final Journal journal;
    private final AtomicInteger asked = new AtomicInteger();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private PasswordChanges(Cluster cluster, Databases databases, String name, Journal journal) {
        this.cluster = cluster;
        this.databases = databases;
        this.name = name;
        this.journal = journal;
    }

    static PasswordChanges every(
            Duration interval, Cluster cluster, Databases databases, String name, Journal journal) {
        PasswordChanges changes = new PasswordChanges(cluster, databases, name, journal);
        var unused = changes.timer.scheduleAtFixedRate(
                changes::askIfPossible, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        return changes;
    }

    private void askIfPossible() {
        try {
            ask();
        } catch (KubernetesClientException | IllegalStateException refused) {
            journal.note("no change of passwords asked: " + refused.getMessage());
        }
    }

    private String ask() {
        String text = "change " + asked.incrementAndGet();
        journal.note("passwords: " + text + " asked");
        cluster.patch(
                cluster.get(MySQLCluster.class, name),
                "{\"metadata\":{\"annotations\":{\"database.example.com/rotate-passwords\":\"" + text + "\"}}}");
        return text;
    }

    /** No more are asked for from now on. */
    void end() {
        timer.shutdownNow();
    }

    int asked() {
        return asked.get();
    }

    /** Of a cluster that is left alone now: one more comes to its end, and leaves each account one password. */
    void checkLast(Duration patience) {
        Map<String, String> before = new TreeMap<>();
        settled(patience);
        KEYS.forEach((user, key) -> before.put(user, databases.password(name, key)));
        String text = ask();
        Databases.within(patience, () -> {
            MySQLClusterStatus status = databases.status(name);
            assertThat(Objects.requireNonNull(status.rotation()).answered()).isEqualTo(text);
        });
        settled(patience);
        for (String pod : databases.status(name).nodes()) {
            KEYS.forEach((user, key) -> {
                databases.connect(pod, user, databases.password(name, key)).close();
                assertThatThrownBy(() ->
                                databases.connect(pod, user, before.get(user)).close())
                        .as("%s at %s with the password before", user, pod)
                        .hasMessageContaining("denied");
            });
        }
    }

    private void settled(Duration patience) {
        Databases.within(
                patience,
                () -> assertThat(databases.condition(name, "PasswordsRotated")).isEqualTo("True InPlace"));
    }
}
