package io.busbar.scaffold.command;

import io.busbar.scaffold.ApiRequest;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code create api}. */
@Command(
        name = "api",
        sortOptions = false,
        description = "Adds a kind, or one more version of it: its types, its controller, their tests.")
final class CreateApiCommand implements Callable<Integer> {

    @Mixin
    private KindFlags kind;

    @Option(
            names = "--plural",
            paramLabel = "PLURAL",
            description = "The name of its resource, where that is not the regular plural of the kind.")
    private @Nullable String plural;

    @Option(
            names = "--namespaced",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            paramLabel = "BOOLEAN",
            description = "Whether its objects are in namespaces. Default: ${DEFAULT-VALUE}.")
    private boolean namespaced;

    @Option(
            names = "--resource",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            paramLabel = "BOOLEAN",
            description = "Whether its types are made. Default: ${DEFAULT-VALUE}.")
    private boolean resource;

    @Option(
            names = "--controller",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOLEAN",
            description = "Whether it gets a controller. Default: true, unless another version has one.")
    private @Nullable Boolean controller;

    @Mixin
    private ScaffoldRun run;

    @Override
    public Integer call() throws Exception {
        return run.run(scaffold -> scaffold.createApi(new ApiRequest(
                kind.group, kind.version, kind.kind, plural, namespaced, resource, controller, kind.force)));
    }
}
