package io.busbar.blueprint.command;

import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands of Blueprints, for a command line to take in.
 *
 * <p>Any thread.
 */
public final class BlueprintCommands {

    private BlueprintCommands() {}

    /** By name; each call of a supplier makes what picocli can make a command of. */
    public static Map<String, Supplier<Object>> all() {
        return Map.of("blueprint", BlueprintCommands::blueprint);
    }

    private static CommandSpec blueprint() {
        CommandLine blueprint = new CommandLine(new BlueprintCommand());
        blueprint.addSubcommand(new CheckCommand());
        blueprint.addSubcommand(new CrdCommand());
        blueprint.addSubcommand(new RoleCommand());
        blueprint.addSubcommand(new RenderCommand());
        blueprint.addSubcommand(new RunCommand());
        blueprint.addSubcommand(new PackCommand());
        return blueprint.getCommandSpec();
    }
}
