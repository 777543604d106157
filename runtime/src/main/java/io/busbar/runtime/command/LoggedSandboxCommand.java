package io.busbar.runtime.command;

import io.busbar.runtime.flags.LogFlags;
import io.busbar.sandbox.command.SandboxCommand;
import java.util.Set;
import org.slf4j.event.Level;
import picocli.CommandLine.Mixin;

/** {@code sandbox}, with the flags of a log. */
final class LoggedSandboxCommand extends SandboxCommand {

    @Mixin
    private LogFlags log;

    @Override
    public Integer call() throws Exception {
        log.apply(Level.WARN, Set.of());
        return super.call();
    }
}
