package io.busbar.operator.bundled;

import io.busbar.manifests.OperatorPart;
import io.busbar.operator.guestbook.GuestbookBundle;
import io.busbar.operator.guestbook.GuestbookPart;
import io.busbar.operator.memcached.MemcachedBundle;
import io.busbar.operator.memcached.MemcachedPart;
import io.busbar.operator.mysqlcluster.MySQLClusterBundle;
import io.busbar.operator.mysqlcluster.MySQLClusterPart;
import io.busbar.operator.mysqlcluster.sql.VertxDatabaseServers;
import io.busbar.operator.podbugger.PodbuggertoolBundle;
import io.busbar.operator.podbugger.PodbuggertoolPart;
import io.busbar.operator.podset.PodSetBundle;
import io.busbar.operator.podset.PodSetPart;
import io.busbar.operator.runtime.Bundle;
import io.busbar.operator.runtime.OperatorOptions;
import io.busbar.operator.sidecarset.SidecarSetBundle;
import io.busbar.operator.sidecarset.SidecarSetPart;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The operators in the jar. Immutable. */
@SuppressWarnings("ImmutableEnumChecker") // method references without state
public enum Bundled {
    SIDECARSET(SidecarSetPart::in, (options, vertx) -> new SidecarSetBundle(options)),
    PODSET(namespace -> PodSetPart.declaration(), (options, vertx) -> new PodSetBundle()),
    MEMCACHED(namespace -> MemcachedPart.declaration(), (options, vertx) -> new MemcachedBundle(System.getenv())),
    GUESTBOOK(namespace -> GuestbookPart.declaration(), (options, vertx) -> new GuestbookBundle()),
    PODBUGGER(namespace -> PodbuggertoolPart.declaration(), (options, vertx) -> new PodbuggertoolBundle()),
    MYSQLCLUSTER(
            namespace -> MySQLClusterPart.declaration(),
            (options, vertx) -> new MySQLClusterBundle(
                    new VertxDatabaseServers(vertx), options.podAddressing(), Clock.systemUTC()));

    private final Function<String, OperatorPart> part;
    private final BiFunction<OperatorOptions, Vertx, Bundle> bundle;

    Bundled(Function<String, OperatorPart> part, BiFunction<OperatorOptions, Vertx, Bundle> bundle) {
        this.part = part;
        this.bundle = bundle;
    }

    /** As users write it, such as {@code sidecarset}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All that may be asked for. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(Bundled::id).toList();
    }

    public static Optional<Bundled> of(String id) {
        return Arrays.stream(values()).filter(one -> one.id().equals(id)).findFirst();
    }

    /**
     * What a cluster needs for it.
     *
     * @param namespace the operator's own
     */
    public OperatorPart part(String namespace) {
        return part.apply(namespace);
    }

    /**
     * What runs.
     *
     * @param vertx that it runs on
     */
    public Bundle bundle(OperatorOptions options, Vertx vertx) {
        return bundle.apply(options, vertx);
    }
}
