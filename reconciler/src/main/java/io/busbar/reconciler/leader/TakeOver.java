package io.busbar.reconciler.leader;

import io.busbar.common.MetadataKey;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The mark on a lease that was taken over: who holds it has taken the work, and what belongs to it, such as webhooks,
 * from replicas that would go on with it at once.
 *
 * <p>Pure; any thread. It holds only as long as the same process holds the lease: the next holder takes it off.
 */
public final class TakeOver {

    /** The annotation; its value is the identity of the holder that has taken over. */
    public static final String ANNOTATION = "leader.busbar.io/taken-over-by";

    static final MetadataKey KEY = MetadataKey.annotation(
            ANNOTATION,
            "the Lease of an operator's leader",
            "set by an operator with --take-over: who leads in place of the deployed one, which stands by until that ends");

    private TakeOver() {}

    /**
     * Who has taken a lease over and holds it, as far as the lease says; whether that process lives it does not say.
     */
    public static Optional<String> holder(@Nullable Lease lease) {
        if (lease == null || lease.getSpec() == null || lease.getMetadata().getAnnotations() == null) {
            return Optional.empty();
        }
        String marked = lease.getMetadata().getAnnotations().get(ANNOTATION);
        return Optional.ofNullable(marked)
                .filter(taker -> taker.equals(lease.getSpec().getHolderIdentity()));
    }

    /**
     * Marks a lease that is to be written.
     *
     * @param taker null where it is not taken over
     */
    static void mark(LeaseBuilder lease, @Nullable String taker) {
        if (taker == null) {
            lease.editOrNewMetadata().removeFromAnnotations(ANNOTATION).endMetadata();
        } else {
            lease.editOrNewMetadata()
                    .addToAnnotations(Map.of(ANNOTATION, taker))
                    .endMetadata();
        }
    }
}
