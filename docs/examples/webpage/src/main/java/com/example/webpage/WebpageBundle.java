package com.example.webpage;

import io.busbar.reconciler.Controller;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.Extras;
import io.busbar.runtime.bundle.Webhook;
import java.util.List;

/** All that runs in this operator. Made from PROJECT: edits are lost. */
public final class WebpageBundle implements Bundle {

    @Override
    public String name() {
        return "webpage";
    }

    @Override
    public List<Controller<?>> controllers(BundleContext context) {
        return List.of(
                com.example.webpage.webpage.WebPageReconciler.controller(context));
    }

    @Override
    public List<Webhook> webhooks(BundleContext context) {
        return List.of(
                Webhook.validating(com.example.webpage.webpage.v1.WebPage.class, new com.example.webpage.webpage.v1.WebPageValidator()));
    }

    @Override
    public Extras extras(BundleContext context) {
        return Extras.none()
                .allowing(com.example.webpage.webpage.WebPageReconciler.permissions());
    }
}
