package io.busbar.operator.sidecarset.validation;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.Lister;
import io.busbar.operator.sidecarset.history.RevisionLookup;
import io.busbar.operator.sidecarset.v1beta1.InjectionRevision;
import io.busbar.operator.sidecarset.v1beta1.InjectionStrategy;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetSpec;
import io.busbar.operator.sidecarset.v1beta1.UpgradeStrategy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses SidecarSets that could not be injected, or that would fight with others.
 *
 * <p>Any thread; reads listers, never blocks. Expects a set with its defaults. Whether other sets are in the way is
 * asked only of a set that is right in itself.
 *
 * <p>Source: OpenKruise 1.9's validating webhook: its rules and the key phrases of its messages, with true field paths.
 */
public final class SidecarSetValidator implements Validator<SidecarSet> {

    private final SetConflicts conflicts;
    private final CanaryRules canaries;
    private final RevisionLookup revisions;
    private final PodMetadataRules metadata;

    /**
     * @param sets all SidecarSets, from a watch with {@link #indexes()}
     */
    public SidecarSetValidator(Lister<SidecarSet> sets, RevisionLookup revisions, PodMetadataWhitelist whitelist) {
        this.conflicts = new SetConflicts(sets);
        this.canaries = new CanaryRules(sets);
        this.revisions = revisions;
        this.metadata = new PodMetadataRules(whitelist);
    }

    /** What the watch of SidecarSets must be declared with. */
    public static List<Index<SidecarSet>> indexes() {
        return List.of(SetConflicts.BY_PART);
    }

    @Override
    public Verdict create(SidecarSet set, AdmissionRequest request) {
        return verdict(null, set);
    }

    @Override
    public Verdict update(SidecarSet before, SidecarSet after, AdmissionRequest request) {
        // An object on its way out changes only in its finalizers, and must be able to.
        return after.getMetadata().getDeletionTimestamp() == null ? verdict(before, after) : Verdict.ok();
    }

    private Verdict verdict(@Nullable SidecarSet before, SidecarSet set) {
        if (set.getSpec() == null) {
            set.setSpec(SidecarSetSpec.empty());
        }
        Field root = Field.root();
        root.child("metadata").child("name").text(set.getMetadata().getName(), Names::sidecarSet);
        Field spec = root.child("spec");
        check(spec, set);
        canaries.check(root, before, set);
        if (before != null && before.getSpec() != null) {
            changes(spec, before.getSpec(), set.getSpec());
        }
        if (root.problems().isEmpty()) {
            conflicts.check(spec, set);
        }
        return new Verdict(root.problems(), List.of());
    }

    private void check(Field at, SidecarSet set) {
        SidecarSetSpec spec = set.getSpec();
        if (spec.selector() == null) {
            at.child("selector").required("no selector defined for SidecarSet");
        } else {
            SelectorRules.check(at.child("selector"), spec.selector());
        }
        if (spec.namespaceSelector() != null) {
            SelectorRules.check(at.child("namespaceSelector"), spec.namespaceSelector());
        }
        at.child("revisionHistoryLimit").notNegative(spec.revisionHistoryLimit());
        injectionStrategy(at.child("injectionStrategy"), set);
        StrategyRules.check(at.child("updateStrategy"), spec);
        VolumeRules.check(at, spec.volumes());
        if (spec.containers().isEmpty() && spec.initContainers().isEmpty()) {
            at.required("no initContainer or container defined for SidecarSet");
        }
        ContainerRules.check(at, spec);
        metadata.check(at, set);
    }

    private void injectionStrategy(Field at, SidecarSet set) {
        InjectionStrategy strategy = set.getSpec().injectionStrategy();
        InjectionRevision revision = strategy == null ? null : strategy.revision();
        if (revision == null) {
            return;
        }
        Field field = at.child("revision");
        if (revision.revisionName() == null && revision.customVersion() == null) {
            field.required("revisionName and customVersion cannot be empty simultaneously");
        } else if (revisions.find(set, revision).isEmpty()) {
            boolean byName = revision.revisionName() != null;
            field.child(byName ? "revisionName" : "customVersion")
                    .invalid(
                            String.valueOf(byName ? revision.revisionName() : revision.customVersion()),
                            "Cannot find specific ControllerRevision");
        }
        field.child("policy").optionalOneOf(revision.policy(), InjectionRevision.ALWAYS, InjectionRevision.PARTIAL);
    }

    /** Containers may go, none may come, and each keeps its kind of upgrade. */
    private static void changes(Field spec, SidecarSetSpec before, SidecarSetSpec after) {
        Map<String, String> types = new HashMap<>();
        before.containers().forEach(container -> types.put(container.getName(), upgradeType(container)));
        spec.<SidecarContainer>each("containers", after.containers(), (at, container) -> {
            String name = container.getName();
            String type = types.get(name);
            if (type == null) {
                at.child("name").invalid(String.valueOf(name), "container " + name + " is not found");
            } else if (!type.isEmpty() && !type.equals(upgradeType(container))) {
                at.child("upgradeStrategy")
                        .child("upgradeType")
                        .invalid(upgradeType(container), "container " + name + " upgradeType is immutable");
            }
        });
    }

    private static String upgradeType(SidecarContainer container) {
        UpgradeStrategy strategy = container.getUpgradeStrategy();
        return strategy == null || strategy.upgradeType() == null ? "" : strategy.upgradeType();
    }
}
