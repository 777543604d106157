package io.busbar.scaffold.command;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code init}. */
@Command(
        name = "init",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Makes the project of a new operator.")
final class InitCommand implements Callable<Integer> {

    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            defaultValue = "my.domain",
            description = "Of the groups of its kinds, such as example.com. Default: ${DEFAULT-VALUE}.")
    private String domain = "";

    @Option(
            names = "--project-name",
            paramLabel = "NAME",
            description = "What it is installed as. Default: the name of the folder.")
    private @Nullable String name;

    @Option(
            names = "--repo",
            paramLabel = "PACKAGE",
            description =
                    "Its Java package, which is its Maven group too. Default: the domain reversed, and the name: com.example.shop.")
    private @Nullable String repo;

    @Option(names = "--force", description = "Writes over files that are there.")
    private boolean force;

    @Mixin
    private ScaffoldRun run;

    @Override
    public Integer call() throws Exception {
        return run.run(scaffold -> scaffold.init(domain, name, repo, force));
    }
}
