package io.busbar.operator.bundled;

import io.busbar.manifests.OperatorPart;
import io.busbar.operator.guestbook.GuestbookBundle;
import io.busbar.operator.guestbook.GuestbookPart;
import io.busbar.operator.memcached.MemcachedBundle;
import io.busbar.operator.memcached.MemcachedPart;
import io.busbar.operator.podbugger.PodbuggertoolBundle;
import io.busbar.operator.podbugger.PodbuggertoolPart;
import io.busbar.operator.podset.PodSetBundle;
import io.busbar.operator.podset.PodSetPart;
import io.busbar.operator.runtime.Bundle;
import io.busbar.operator.runtime.OperatorOptions;
import io.busbar.operator.sidecarset.SidecarSetBundle;
import io.busbar.operator.sidecarset.SidecarSetPart;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The operators in the jar. Immutable. */
@SuppressWarnings("ImmutableEnumChecker") // method references without state
public enum Bundled {
    SIDECARSET(SidecarSetPart::in, SidecarSetBundle::new),
    PODSET(namespace -> PodSetPart.declaration(), options -> new PodSetBundle()),
    MEMCACHED(namespace -> MemcachedPart.declaration(), options -> new MemcachedBundle(System.getenv())),
    GUESTBOOK(namespace -> GuestbookPart.declaration(), options -> new GuestbookBundle()),
    PODBUGGER(namespace -> PodbuggertoolPart.declaration(), options -> new PodbuggertoolBundle());

    private final Function<String, OperatorPart> part;
    private final Function<OperatorOptions, Bundle> bundle;

    Bundled(Function<String, OperatorPart> part, Function<OperatorOptions, Bundle> bundle) {
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

    /** What runs. */
    public Bundle bundle(OperatorOptions options) {
        return bundle.apply(options);
    }
}
