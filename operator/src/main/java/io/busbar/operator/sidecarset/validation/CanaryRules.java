package io.busbar.operator.sidecarset.validation;

import io.busbar.common.ObjectKey;
import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.UpdateStrategy;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a set must be that stands in for another.
 *
 * <p>Any thread; reads the lister, never blocks.
 *
 * @param sets all that are stored
 */
record CanaryRules(Lister<SidecarSet> sets) {

    void check(Field root, @Nullable SidecarSet before, SidecarSet set) {
        Field base = root.child("metadata").child("annotations").key(SidecarSet.BASE);
        Optional<String> was = before == null ? Optional.empty() : before.canaryOf();
        if (was.isPresent() && !was.equals(set.canaryOf())) {
            base.invalid(set.canaryOf().orElse(""), "the base of a canary is immutable: it was " + was.get());
        } else if (isCanary(set)) {
            base(base, set);
            UpdateStrategy strategy = set.getSpec().updateStrategy();
            String type = strategy == null || strategy.type() == null ? UpdateStrategy.ROLLING_UPDATE : strategy.type();
            if (!UpdateStrategy.NOT_UPDATE.equals(type)) {
                root.child("spec")
                        .child("updateStrategy")
                        .child("type")
                        .invalid(type, "a canary must be " + UpdateStrategy.NOT_UPDATE);
            }
        }
    }

    /** Whether one of two sets stands in for the other. */
    static boolean related(SidecarSet one, SidecarSet other) {
        return one.canaryOf().equals(Optional.of(other.getMetadata().getName()))
                || other.canaryOf().equals(Optional.of(one.getMetadata().getName()));
    }

    private void base(Field at, SidecarSet canary) {
        Optional<String> name = canary.canaryOf().filter(text -> !text.isEmpty());
        if (name.isEmpty()) {
            at.required("a canary names its base");
        } else if (name.get().equals(canary.getMetadata().getName())) {
            at.invalid(name.get(), "the base of a canary must be another SidecarSet");
        } else {
            Optional<SidecarSet> base = sets.get(ObjectKey.of(name.get()));
            if (base.isEmpty()) {
                at.invalid(name.get(), "there is no SidecarSet of this name");
            } else if (isCanary(base.get())) {
                at.invalid(name.get(), "the base of a canary must not be a canary itself");
            }
        }
    }

    private static boolean isCanary(SidecarSet set) {
        Map<String, String> annotations = set.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(SidecarSet.CANARY));
    }
}
