package io.busbar.operator.sidecarset;

import io.busbar.admission.AdmissionRule;
import io.busbar.admission.AdmissionRules;
import io.busbar.admission.conversion.Versions;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.Addresses;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.busbar.manifests.OperatorPart;
import io.busbar.operator.runtime.Bundle;
import io.busbar.operator.runtime.FeatureGate;
import io.busbar.operator.runtime.OperatorOptions;
import io.busbar.operator.sidecarset.defaulting.SidecarSetDefaulter;
import io.busbar.operator.sidecarset.history.RevisionLookup;
import io.busbar.operator.sidecarset.inject.PodInjection;
import io.busbar.operator.sidecarset.inject.SidecarSetFeed;
import io.busbar.operator.sidecarset.roll.SidecarSetController;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSet;
import io.busbar.operator.sidecarset.v1beta1.SidecarSetConverter;
import io.busbar.operator.sidecarset.validation.ListKeys;
import io.busbar.operator.sidecarset.validation.PodMetadataWhitelist;
import io.busbar.operator.sidecarset.validation.SidecarSetValidator;
import io.busbar.reconciler.Controller;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.vertx.core.eventbus.EventBus;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** SidecarSet, whole: its controller, its webhooks, and that of the Pods it is injected into. Any thread. */
public final class SidecarSetBundle implements Bundle {

    /** Where SidecarSets are defaulted; without the version, as OpenKruise has it. */
    public static final String MUTATE_PATH = "/mutate-apps-kruise-io-sidecarset";

    /** Where SidecarSets are validated. */
    public static final String VALIDATE_PATH = "/validate-apps-kruise-io-sidecarset";

    private final OperatorOptions options;
    private volatile @Nullable SidecarSetFeed feed;

    public SidecarSetBundle(OperatorOptions options) {
        this.options = options;
    }

    @Override
    public OperatorPart part() {
        return SidecarSetPart.in(options.namespace());
    }

    @Override
    public List<Controller<?>> controllers() {
        Controller<SidecarSet> controller = SidecarSetController.declare(options.namespace(), Clock.systemUTC());
        SidecarSetValidator.indexes().forEach(controller::index);
        return List.of(controller);
    }

    @Override
    public List<WatchRequest<?>> reads() {
        return List.of(WatchRequest.readOnly(
                WatchSpec.of(ConfigMap.class)
                        .inNamespaces(Set.of(options.namespace()))
                        .withFields("metadata.name=" + PodMetadataWhitelist.CONFIG_MAP),
                List.of()));
    }

    @Override
    public Map<String, AdmissionRule> webhooks(Listers listers, EventBus bus) {
        Lister<SidecarSet> sets = listers.lister(SidecarSet.class);
        Lister<Namespace> namespaces = listers.lister(Namespace.class);
        RevisionLookup revisions = RevisionLookup.in(listers.lister(ControllerRevision.class));
        SidecarSetFeed following = new SidecarSetFeed(sets, revisions);
        bus.<ResourceChanged>localConsumer(
                Addresses.changes(ResourceType.of(SidecarSet.class)), message -> following.changed(message.body()));
        feed = following;
        return Map.of(
                MUTATE_PATH,
                AdmissionRules.defaulting(SidecarSet.class, ListKeys::problems, new SidecarSetDefaulter()),
                VALIDATE_PATH,
                AdmissionRules.validating(SidecarSet.class, validator(listers, revisions)),
                PodInjection.PATH,
                new PodInjection(following, namespaces, untouched(), Clock.systemUTC()));
    }

    @Override
    public List<Versions<?>> conversions() {
        return List.of(SidecarSetConverter.VERSIONS);
    }

    @Override
    public void synced() {
        SidecarSetFeed following = feed;
        if (following != null) {
            following.rebuild();
        }
    }

    private SidecarSetValidator validator(Listers listers, RevisionLookup revisions) {
        return new SidecarSetValidator(
                listers.lister(SidecarSet.class),
                revisions,
                new PodMetadataWhitelist(
                        () -> whitelist(listers.lister(ConfigMap.class)),
                        options.featureGates().contains(FeatureGate.SidecarSetPatchPodMetadataDefaultsAllowed)));
    }

    private Optional<String> whitelist(Lister<ConfigMap> configuration) {
        return configuration
                .get(ObjectKey.of(options.namespace(), PodMetadataWhitelist.CONFIG_MAP))
                .map(ConfigMap::getData)
                .map(data -> data.get(PodMetadataWhitelist.KEY));
    }

    private Set<String> untouched() {
        Set<String> namespaces = new HashSet<>(options.protectedNamespaces());
        namespaces.add(options.namespace());
        return namespaces;
    }
}
