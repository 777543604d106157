package io.busbar.scaffold.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands of the scaffold, for a command line to take in.
 *
 * <p>Any thread.
 */
public final class ScaffoldCommands {

    private ScaffoldCommands() {}

    /** By name; each call of a supplier makes what picocli can make a command of. */
    public static Map<String, Supplier<Object>> all() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("init", InitCommand::new);
        commands.put("create", ScaffoldCommands::create);
        commands.put("edit", EditCommand::new);
        commands.put("update", UpdateCommand::new);
        return commands;
    }

    private static CommandSpec create() {
        CommandLine create = new CommandLine(new CreateCommand());
        create.addSubcommand(new CreateApiCommand());
        create.addSubcommand(new CreateWebhookCommand());
        return create.getCommandSpec();
    }
}
