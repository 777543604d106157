package io.busbar.scaffold.command;

import io.busbar.scaffold.Scaffold;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code update}. */
@Command(
        name = "update",
        mixinStandardHelpOptions = true,
        description = {
            "Brings a project to this edition of the scaffold: merges what is made otherwise now into what people have written.",
            "Ends with 1 when it has marked conflicts."
        })
final class UpdateCommand implements Callable<Integer> {

    @Mixin
    private ScaffoldRun run;

    @Override
    public Integer call() throws Exception {
        return run.run(Scaffold::update);
    }
}
