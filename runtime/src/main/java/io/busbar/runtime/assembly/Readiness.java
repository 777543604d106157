package io.busbar.runtime.assembly;

import io.busbar.common.ResourceType;
import io.busbar.reconciler.storage.StorageMigration;
import io.busbar.runtime.bundle.DeclaredBundle;
import io.busbar.watcher.WatchStatus;
import io.busbar.watcher.Watches;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an operator waits for, and what there is to say of it: some of that makes its replica unready, the rest is for
 * people who look on.
 *
 * <p>Any thread.
 */
final class Readiness {

    private final List<DeclaredBundle> bundles;
    private final InstalledKinds installed;
    private final Supplier<List<WatchStatus>> watches;
    /** Of other clusters, by name. */
    private final Map<String, Watches> elsewhere;

    private final WebhookServing webhooks;
    /** How long a watch may be without a sign of life; zero for ever. */
    private final Duration limit;

    /** Those that were installed at the start; null until that is known. */
    private volatile @Nullable List<RunningBundle> first;
    /** Whose kinds are not installed. */
    private final Set<DeclaredBundle> missing = ConcurrentHashMap.newKeySet();
    /** Whose kinds were installed later, and who are not listed and served yet. */
    private final Set<DeclaredBundle> late = ConcurrentHashMap.newKeySet();
    /** Of kinds in several versions, since this replica has begun to write. */
    private final List<StorageMigration> migrations = new CopyOnWriteArrayList<>();

    /** @param watches how those of the operator's own cluster are doing */
    Readiness(
            List<DeclaredBundle> bundles,
            InstalledKinds installed,
            Supplier<List<WatchStatus>> watches,
            Map<String, Watches> elsewhere,
            WebhookServing webhooks,
            Duration limit) {
        this.bundles = bundles;
        this.installed = installed;
        this.watches = watches;
        this.elsewhere = elsewhere;
        this.webhooks = webhooks;
        this.limit = limit;
    }

    void starts(List<RunningBundle> found) {
        first = found;
    }

    void missing(DeclaredBundle bundle) {
        missing.add(bundle);
    }

    boolean isMissing(DeclaredBundle bundle) {
        return missing.contains(bundle);
    }

    /** Its kinds are installed now. */
    void late(DeclaredBundle bundle) {
        late.add(bundle);
        missing.remove(bundle);
    }

    void caughtUp(DeclaredBundle bundle) {
        late.remove(bundle);
    }

    void migrates(StorageMigration migration) {
        migrations.add(migration);
    }

    void migrated(StorageMigration migration) {
        migrations.remove(migration);
    }

    Collection<StorageMigration> migrations() {
        return migrations;
    }

    /** What is not listed yet; null where all is. */
    @Nullable
    String unsynced() {
        List<RunningBundle> running = first;
        if (running == null) {
            return "no kind of any operator was found yet";
        }
        Set<ResourceType> unconverted = unconverted();
        List<String> waiting = running.stream()
                .flatMap(one -> one.unsynced().stream())
                .distinct()
                .filter(type -> !unconverted.contains(type))
                .map(ResourceType::toString)
                .toList();
        return waiting.isEmpty() ? null : "not listed yet: " + String.join(", ", waiting);
    }

    /**
     * Kinds that cannot be listed yet, as no replica converts them. The API server reaches only a replica that is
     * ready, so this one has to be ready before it has listed them; their other webhooks are answered with 503 until
     * then.
     */
    private Set<ResourceType> unconverted() {
        return watches.get().stream()
                .filter(watch -> !watch.synced() && watch.failure().contains("conversion webhook for "))
                .map(WatchStatus::resource)
                .filter(webhooks::converts)
                .collect(Collectors.toSet());
    }

    /** What does not make this replica unready: objects can be read meanwhile. */
    Optional<String> storage() {
        List<String> remarks = Stream.concat(
                        unconverted().stream()
                                .map(kind -> kind + " is listed once this webhook is asked to convert it"),
                        migrations.stream().flatMap(migration -> migration.remark().stream()))
                .toList();
        return remarks.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", remarks));
    }

    /**
     * A list of what was long ago is no basis for answers to the API server, nor for a leader's writes. That of a kind
     * which was removed is no older than it can be, and nobody asks about it.
     */
    Future<Optional<String>> stale() {
        List<Future<String>> silent = watches.get().stream()
                .filter(watch -> !limit.isZero() && watch.staleness().compareTo(limit) > 0)
                .map(watch -> installed.serves(watch.resource()).map(served -> served ? silence(watch) : ""))
                .toList();
        return Future.join(silent).map(asked -> {
            List<String> stale = silent.stream()
                    .map(Future::result)
                    .filter(watch -> !watch.isEmpty())
                    .toList();
            return stale.isEmpty()
                    ? Optional.empty()
                    : Optional.of("no sign of life from the API server: " + String.join(", ", stale));
        });
    }

    private static String silence(WatchStatus watch) {
        return watch.name() + " for " + watch.staleness().toSeconds() + " s";
    }

    /** A cluster that is away takes nothing from those that are there. */
    Optional<String> otherClusters() {
        List<String> away = elsewhere.values().stream()
                .flatMap(other -> other.statuses().stream())
                .filter(watch ->
                        !watch.synced() || (!limit.isZero() && watch.staleness().compareTo(limit) > 0))
                .map(watch -> watch.synced() ? silence(watch) : watch.name() + " not listed yet")
                .toList();
        return away.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", away));
    }

    /** What does not make this replica unready: others would be left without their webhooks. */
    Optional<String> lateKinds() {
        List<String> remarks = new ArrayList<>();
        remark(remarks, "not installed: ", missing);
        remark(remarks, "starting: ", late);
        return remarks.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", remarks));
    }

    private void remark(List<String> remarks, String what, Set<DeclaredBundle> whose) {
        List<String> kinds = bundles.stream()
                .filter(whose::contains)
                .flatMap(bundle -> InstalledKinds.names(bundle).stream())
                .toList();
        if (!kinds.isEmpty()) {
            remarks.add(what + String.join(", ", kinds));
        }
    }

    /** For people who look on. */
    List<String> remarks() {
        return Stream.of(Optional.ofNullable(unsynced()), lateKinds(), storage(), otherClusters())
                .flatMap(Optional::stream)
                .toList();
    }
}
