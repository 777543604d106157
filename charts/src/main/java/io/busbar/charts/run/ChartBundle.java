package io.busbar.charts.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.charts.instance.ChartInstance;
import io.busbar.charts.render.ChartFolder;
import io.busbar.charts.render.ChartRenderer;
import io.busbar.charts.render.Lookups;
import io.busbar.charts.render.RenderFailedException;
import io.busbar.charts.render.Rendering;
import io.busbar.charts.watches.Watch;
import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.watch.WatchSpec;
import io.busbar.manifests.rbac.Permission;
import io.busbar.reconciler.Backoff;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.Write;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.client.KindClasses;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kind that is made of a chart, and its controller, which is named as the definition of the kind is:
 * {@code plural.group}.
 *
 * <p>The chart is read once, when this is made. Any thread.
 */
public final class ChartBundle implements Bundle {

    private static final Logger log = LoggerFactory.getLogger(ChartBundle.class);

    /** What charts see where no cluster is there to ask; those of today take it. */
    private static final String SOME_KUBERNETES = "1.33.0";

    private final Watch watch;
    private final String name;
    private final ChartRenderer renderer;
    private final ChartKinds kinds;
    private final Class<? extends ChartInstance> type;
    private final KindClasses classes = new KindClasses(ChartInstance.class);
    private final KubernetesSerialization serialization = new KubernetesSerialization();

    /**
     * Reads the chart. Blocks.
     *
     * @param name of the bundle
     * @throws IOException when the chart cannot be read
     */
    public ChartBundle(String name, Watch watch) throws IOException {
        this.watch = watch;
        this.name = name;
        ChartFolder chart = ChartFolder.of(watch.chart());
        this.renderer = new ChartRenderer(chart, watch.overrideValues());
        this.kinds = ChartKinds.of(chart, rendering(), serialization);
        if (!kinds.summingUp().isEmpty()) {
            log.atInfo()
                    .addKeyValue("kind", watch.kind())
                    .addKeyValue("clusterRoles", kinds.summingUp())
                    .log("the chart makes ClusterRoles that sum up others, which needs the verb 'escalate' on them: as"
                            + " that is every right, it is not in the operator's role, and yours to give");
        }
        this.type = classes.of(
                new ResourceType(watch.group(), watch.version(), watch.kind(), watch.plural(), true),
                ChartInstance.class,
                InstanceColumns::addTo);
    }

    /** With the chart's own values. */
    private Optional<Rendering> rendering() throws IOException {
        ObjectKey nobody = ObjectKey.of(ChartKinds.ANY_NAMESPACE, ChartKinds.ANY_RELEASE);
        try {
            return Optional.of(
                    renderer.render(nobody, JsonNodeFactory.instance.objectNode(), SOME_KUBERNETES, Lookups.NOTHING));
        } catch (RenderFailedException failed) {
            log.atInfo()
                    .addKeyValue("kind", watch.kind())
                    .addKeyValue("reason", failed.getMessage())
                    .log(
                            "the chart does not render with its own values: which kinds it makes is read off its templates");
            return Optional.empty();
        } finally {
            renderer.forget(nobody);
        }
    }

    @Override
    public String name() {
        return name;
    }

    /** The class of the instances. */
    public Class<? extends ChartInstance> type() {
        return type;
    }

    /** How often the chart was rendered. */
    public long renderings() {
        return renderer.renderings();
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(controller(type));
    }

    private <P extends ChartInstance> Controller<P> controller(Class<P> instances) {
        Map<String, Class<? extends GenericKubernetesResource>> watched = new LinkedHashMap<>();
        if (watch.watchDependentResources()) {
            kinds.watched()
                    .forEach(kind ->
                            watched.put(InstanceObjects.kind(kind.apiVersion(), kind.kind()), classes.of(kind)));
        }
        InstanceObjects.Parts parts = new InstanceObjects.Parts(watch.name(), watched, serialization);
        Controller<P> controller = Controller.of(
                        instances,
                        new ChartReconciler<P>(
                                renderer, parts, watch.watchDependentResources(), InstantSource.system()))
                .named(watch.name())
                .primaries(WatchSpec.of(instances).withLabels(watch.selector()))
                .finalizer(Marks.FINALIZER.name())
                .formerFinalizer(HelmRelease.FINALIZER)
                // What is not ready, and not watched, is looked at no less often than what is ready.
                .backoff(new Backoff(Backoff.standard().initial(), ChartReconciler.LATER));
        watch.reconcilePeriod().ifPresent(controller::resync);
        for (Class<? extends GenericKubernetesResource> owned : watched.values()) {
            controller = controller.owns(
                    WatchSpec.of(owned).withLabels(Marks.RELEASE.name()), Write.APPLY, Write.CREATE, Write.DELETE);
        }
        return controller;
    }

    @Override
    public Extras extras(BundleContext context) {
        Extras extras = Extras.none().allowing(kinds.permissions().toArray(Permission[]::new));
        return watch.watchDependentResources()
                ? extras
                : extras.allowing(kinds.watched().stream()
                        .map(kind -> Permission.of(
                                        kind.group(), List.of(kind.plural()), "get", "create", "patch", "delete")
                                .inNamespaces())
                        .toArray(Permission[]::new));
    }
}
