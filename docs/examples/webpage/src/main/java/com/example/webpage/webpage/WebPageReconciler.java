package com.example.webpage.webpage;

import com.example.webpage.webpage.v1.WebPage;
import com.example.webpage.webpage.v1.WebPageStatus;
import io.busbar.common.condition.Conditions;
import io.busbar.manifests.rbac.Permission;
import io.busbar.reconciler.Controller;
import io.busbar.reconciler.ReconcileContext;
import io.busbar.reconciler.ReconcileResult;
import io.busbar.reconciler.Reconciler;
import io.busbar.reconciler.dependent.Stages;
import io.busbar.reconciler.dependent.Template;
import io.busbar.runtime.bundle.BundleContext;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.util.Map;

/** Serves the html of a WebPage by nginx, and says in its status where. Any thread. */
public final class WebPageReconciler implements Reconciler<WebPage> {

    private static final Template PAGE = Template.beside(WebPageReconciler.class, "configmap.yaml");
    private static final Template SERVER = Template.beside(WebPageReconciler.class, "deployment.yaml");
    private static final Template SERVICE = Template.beside(WebPageReconciler.class, "service.yaml");

    private final Clock clock;

    WebPageReconciler(Clock clock) {
        this.clock = clock;
    }

    public static Controller<WebPage> controller(BundleContext context) {
        return Controller.of(WebPage.class, new WebPageReconciler(Clock.systemUTC()))
                .owns(ConfigMap.class)
                .owns(Deployment.class)
                .owns(Service.class);
    }

    /** What it does in the cluster beside what follows from {@link #controller}. */
    public static Permission[] permissions() {
        return new Permission[] {};
    }

    @Override
    public ReconcileResult reconcile(WebPage webPage, ReconcileContext<WebPage> context) {
        String html = webPage.getSpec().html();
        // Another page is another Pod template, so that the servers are rolled.
        Map<String, ?> values = Map.of("html", html, "revision", Integer.toHexString(html.hashCode()));
        Stages stages = new Stages(context)
                .then(PAGE.fill(ConfigMap.class, webPage, values))
                .then(SERVER.fill(Deployment.class, webPage, values), SERVICE.fill(Service.class, webPage, values));
        Conditions conditions = stages.rollout().conditions(Conditions.of(webPage, clock.instant()));
        String url = "http://" + context.key().name() + "." + context.key().namespace() + ".svc";
        context.status(webPage.with(new WebPageStatus(conditions.list(), conditions.observedGeneration(), url)));
        return stages.result();
    }
}
