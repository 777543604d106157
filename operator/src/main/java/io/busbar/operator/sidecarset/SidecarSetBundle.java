package io.busbar.operator.sidecarset;

import io.busbar.admission.AdmissionRules;
import io.busbar.admission.conversion.Versions;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.bus.ResourceChanged;
import io.busbar.common.watch.Lister;
import io.busbar.common.watch.Listers;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.rbac.Permission.Subresource;
import io.busbar.manifests.webhook.WebhookManifest;
import io.busbar.manifests.webhook.WebhookManifest.Operation;
import io.busbar.manifests.webhook.WebhookSelection;
import io.busbar.operator.sidecarset.defaulting.SidecarSetDefaulter;
import io.busbar.operator.sidecarset.history.RevisionLookup;
import io.busbar.operator.sidecarset.inject.PodInjection;
import io.busbar.operator.sidecarset.inject.SidecarSetFeed;
import io.busbar.operator.sidecarset.roll.SidecarSetController;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSetConverter;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.busbar.operator.sidecarset.validation.ListKeys;
import io.busbar.operator.sidecarset.validation.NamespaceRules;
import io.busbar.operator.sidecarset.validation.PodMetadataWhitelist;
import io.busbar.operator.sidecarset.validation.SidecarSetValidator;
import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.bundle.Webhook;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** SidecarSet, whole: its controller, its webhooks, and that of the Pods it is injected into. Any thread. */
public final class SidecarSetBundle implements Bundle {

    /** Where SidecarSets are defaulted; without the version, as OpenKruise has it. */
    public static final String MUTATE_PATH = "/mutate-apps-kruise-io-sidecarset";

    /** Where SidecarSets are validated. */
    public static final String VALIDATE_PATH = "/validate-apps-kruise-io-sidecarset";

    /** Where builds had v1alpha1 validated by itself: their configuration is there until an upgrade is through. */
    private static final String VALIDATE_V1ALPHA1_PATH = "/validate-apps-kruise-io-v1alpha1-sidecarset";

    private final SidecarSetFlags flags = new SidecarSetFlags();
    private volatile @Nullable SidecarSetFeed feed;

    @Override
    public Optional<Object> flags() {
        return Optional.of(flags);
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
    public List<Webhook> webhooks(BundleContext context) {
        ResourceType sets = ResourceType.of(SidecarSet.class);
        // Asked as v1alpha1, which replicas of builds that stored it answer, too; as v1beta1 they would refuse.
        return List.of(
                Webhook.mutating(
                                SidecarSet.class,
                                AdmissionRules.defaulting(
                                        SidecarSet.class, ListKeys::problems, new SidecarSetDefaulter()))
                        .registered(manifest -> manifest.at(MUTATE_PATH))
                        .askedAs(io.busbar.operator.sidecarset.v1alpha1.SidecarSet.class),
                Webhook.reading(
                                WebhookManifest.validating(
                                                "vsidecarset.kb.io", sets, Operation.CREATE, Operation.UPDATE)
                                        .at(VALIDATE_PATH),
                                listers -> AdmissionRules.validating(SidecarSet.class, validator(context, listers)))
                        .alsoValidating(io.busbar.operator.sidecarset.v1alpha1.SidecarSet.class, new NamespaceRules())
                        .askedAs(io.busbar.operator.sidecarset.v1alpha1.SidecarSet.class)
                        .alsoAt(VALIDATE_V1ALPHA1_PATH),
                Webhook.reading(
                        WebhookManifest.mutating("mpod.kb.io", ResourceType.of(Pod.class), Operation.CREATE)
                                .at(PodInjection.PATH)
                                .selecting(WebhookSelection.outsideOwnAnd("kube-system", "kube-public")),
                        listers -> injection(context, listers)));
    }

    /** What is done through the client. The history is kept in the operator's own namespace. */
    @Override
    public Extras extras(BundleContext context) {
        return Extras.none()
                .allowing(
                        // Read again where somebody has changed it meanwhile.
                        Permission.on(Pod.class, "get", "patch"),
                        Permission.on(Pod.class, Subresource.STATUS, "patch"),
                        // Revisions of its history block the deletion of their set.
                        Permission.on(SidecarSet.class, Subresource.FINALIZERS, "update"))
                .allowingInOwnNamespace(Permission.on(ControllerRevision.class, "create", "delete", "get", "patch"));
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

    private SidecarSetValidator validator(BundleContext context, Listers listers) {
        return new SidecarSetValidator(
                listers.lister(SidecarSet.class),
                RevisionLookup.in(listers.lister(ControllerRevision.class)),
                new PodMetadataWhitelist(
                        () -> whitelist(context, listers.lister(ConfigMap.class)),
                        flags.enabled(FeatureGate.SidecarSetPatchPodMetadataDefaultsAllowed)));
    }

    private PodInjection injection(BundleContext context, Listers listers) {
        SidecarSetFeed following = new SidecarSetFeed(
                listers.lister(SidecarSet.class), RevisionLookup.in(listers.lister(ControllerRevision.class)));
        context.vertx()
                .eventBus()
                .<ResourceChanged>localConsumer(
                        context.addresses().changes(ResourceType.of(SidecarSet.class)),
                        message -> following.changed(message.body()));
        feed = following;
        return new PodInjection(
                following, listers.lister(Namespace.class), flags.untouched(context.namespace()), Clock.systemUTC());
    }

    private Optional<String> whitelist(BundleContext context, Lister<ConfigMap> configuration) {
        return configuration
                .get(ObjectKey.of(context.namespace(), PodMetadataWhitelist.CONFIG_MAP))
                .map(ConfigMap::getData)
                .map(data -> data.get(PodMetadataWhitelist.KEY));
    }
}
