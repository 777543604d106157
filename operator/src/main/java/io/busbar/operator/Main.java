package io.busbar.operator;

import io.busbar.blueprint.command.BlueprintCommands;
import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.command.ExplainInjectionCommand;
import io.busbar.operator.demo.Story;
import io.busbar.operator.mysqlcluster.s3.BackupObjectCommand;
import io.busbar.runtime.BusbarOperator;
import io.busbar.runtime.process.VirtualMachine;
import io.busbar.scaffold.command.ScaffoldCommands;

/** The program: all bundled operators, and what belongs to one of them alone. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        VirtualMachine.settle();
        program().run(args);
    }

    /** What runs. */
    public static BusbarOperator program() {
        BusbarOperator program = BusbarOperator.of(Bundled.operator())
                .withDemo((client, out) -> new Story(client, out).tell())
                .withCommand("explain-injection", ExplainInjectionCommand::new)
                .withCommand("backup-object", () -> new BackupObjectCommand(System.getenv()));
        ScaffoldCommands.all().forEach(program::withCommand);
        BlueprintCommands.all().forEach(program::withCommand);
        return program.withProgram(Bundled.blueprints());
    }
}
