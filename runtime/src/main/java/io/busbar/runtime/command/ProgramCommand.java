package io.busbar.runtime.command;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Unmatched;

/**
 * A command that is the command line of another operator in the same jar: all words after it are that one's.
 *
 * <p>One thread.
 */
@Command
public final class ProgramCommand implements Callable<Integer> {

    private final OperatorCommandLine program;

    @Unmatched
    private List<String> words = new ArrayList<>();

    private ProgramCommand(OperatorCommandLine program) {
        this.program = program;
    }

    /**
     * For a command line to take in.
     *
     * @param program is given the words
     * @param summary what it does: a sentence
     */
    public static CommandSpec spec(OperatorCommandLine program, String summary) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new ProgramCommand(program));
        spec.usageMessage().description(summary + " An operator with commands of its own: see its --help.");
        return spec;
    }

    @Override
    public Integer call() {
        return program.execute(words.toArray(String[]::new));
    }
}
