package io.busbar.scaffold.command;

import io.busbar.scaffold.WebhookRequest;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code create webhook}. */
@Command(name = "webhook", sortOptions = false, description = "Adds webhooks to a version of a kind, with their tests.")
final class CreateWebhookCommand implements Callable<Integer> {

    @Mixin
    private KindFlags kind;

    @Option(names = "--defaulting", description = "One that fills in what is left out.")
    private boolean defaulting;

    @Option(names = "--programmatic-validation", description = "One that refuses what must not be stored.")
    private boolean validation;

    @Option(names = "--conversion", description = "One that converts other versions from and to this one, the hub.")
    private boolean conversion;

    @Option(
            names = "--spoke",
            split = ",",
            paramLabel = "VERSION",
            description = "Those other versions; needs --conversion.")
    private List<String> spokes = List.of();

    @Mixin
    private ScaffoldRun run;

    @Override
    public Integer call() throws Exception {
        return run.run(scaffold -> scaffold.createWebhook(new WebhookRequest(
                kind.group, kind.version, kind.kind, defaulting, validation, conversion, spokes, kind.force)));
    }
}
