package io.busbar.maven;

import io.busbar.scaffold.Outcome;
import io.busbar.scaffold.Scaffold;
import io.busbar.scaffold.WebhookRequest;
import java.io.IOException;
import java.util.List;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Adds webhooks to a version of a kind, with their tests. */
@Mojo(name = "create-webhook")
public final class CreateWebhookMojo extends KindGoal {

    /** Whether there is one that fills in what is left out. */
    @Parameter(property = "defaulting")
    private boolean defaulting;

    /** Whether there is one that refuses what must not be stored. */
    @Parameter(property = "programmatic-validation")
    private boolean validation;

    /** Whether there is one that converts other versions from and to this one, the hub. */
    @Parameter(property = "conversion")
    private boolean conversion;

    /** Those other versions, with commas between them; they need conversion. */
    @Parameter(property = "spoke")
    private @Nullable String spoke;

    @Override
    Outcome run(Scaffold scaffold) throws IOException {
        List<String> spokes = spoke == null ? List.of() : List.of(spoke.split(",", -1));
        return scaffold.createWebhook(
                new WebhookRequest(group(), version(), kind(), defaulting, validation, conversion, spokes, force()));
    }
}
