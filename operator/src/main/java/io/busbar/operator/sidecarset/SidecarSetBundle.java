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
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.time.Clock;
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

    private final SidecarSetFlags flags = new SidecarSetFlags();
    private volatile @Nullable SidecarSetFeed feed;

    @Override
    public Optional<Object> flags() {
        return Optional.of(flags);
    }

    @Override
    public String name() {
        return "sidecarset";
    }

    @Override
    public OperatorPart part() {
        return SidecarSetPart.declaration();
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        Controller<SidecarSet> controller = SidecarSetController.declare(context.namespace(), Clock.systemUTC());
        SidecarSetValidator.indexes().forEach(controller::index);
        return List.of(controller);
    }

    @Override
    public List<WatchRequest<?>> reads(BundleContext context) {
        return List.of(WatchRequest.readOnly(
                WatchSpec.of(ConfigMap.class)
                        .inNamespaces(Set.of(context.namespace()))
                        .withFields("metadata.name=" + PodMetadataWhitelist.CONFIG_MAP),
                List.of()));
    }

    @Override
    public Map<String, AdmissionRule> webhooks(BundleContext context, Listers listers) {
        Lister<SidecarSet> sets = listers.lister(SidecarSet.class);
        Lister<Namespace> namespaces = listers.lister(Namespace.class);
        RevisionLookup revisions = RevisionLookup.in(listers.lister(ControllerRevision.class));
        SidecarSetFeed following = new SidecarSetFeed(sets, revisions);
        context.vertx()
                .eventBus()
                .<ResourceChanged>localConsumer(
                        Addresses.changes(ResourceType.of(SidecarSet.class)),
                        message -> following.changed(message.body()));
        feed = following;
        return Map.of(
                MUTATE_PATH,
                AdmissionRules.defaulting(SidecarSet.class, ListKeys::problems, new SidecarSetDefaulter()),
                VALIDATE_PATH,
                AdmissionRules.validating(SidecarSet.class, validator(context, listers, revisions)),
                PodInjection.PATH,
                new PodInjection(following, namespaces, flags.untouched(context.namespace()), Clock.systemUTC()));
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

    private SidecarSetValidator validator(BundleContext context, Listers listers, RevisionLookup revisions) {
        return new SidecarSetValidator(
                listers.lister(SidecarSet.class),
                revisions,
                new PodMetadataWhitelist(
                        () -> whitelist(context, listers.lister(ConfigMap.class)),
                        flags.enabled(FeatureGate.SidecarSetPatchPodMetadataDefaultsAllowed)));
    }

    private Optional<String> whitelist(BundleContext context, Lister<ConfigMap> configuration) {
        return configuration
                .get(ObjectKey.of(context.namespace(), PodMetadataWhitelist.CONFIG_MAP))
                .map(ConfigMap::getData)
                .map(data -> data.get(PodMetadataWhitelist.KEY));
    }
}
