package io.busbar.runtime;

import io.busbar.common.guard.Thrown;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.command.Demo;
import io.busbar.runtime.command.OperatorCommandLine;
import io.busbar.runtime.command.ProgramCommand;
import io.busbar.runtime.process.VirtualMachine;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The program of an operator: a main class needs nothing else.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     BusbarOperator.run(args, new ShopBundle());
 * }
 * }</pre>
 *
 * <p>Its commands are {@code run} (where none is named), {@code dev}, {@code sandbox}, {@code manifests},
 * {@code scorecard} and {@code version}; {@code --help} tells their flags. For the main thread.
 */
public final class BusbarOperator {

    private final OperatorDefinition definition;
    private final Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    private final List<OperatorDefinition> programs = new ArrayList<>();
    private @Nullable Demo demo;
    private @Nullable String version;

    private BusbarOperator(OperatorDefinition definition) {
        this.definition = definition;
    }

    /**
     * Runs the command line of an operator that is called as its first bundle is. Does not return: it ends the process,
     * with 0 when it is done or was stopped, 1 when it failed, 2 when flags or environment are wrong.
     */
    public static void run(String[] args, Bundle first, Bundle... more) {
        VirtualMachine.settle(); // before anything else is loaded
        of(OperatorDefinition.of(first, more)).run(args);
    }

    /** An operator with a name, an image and a description of its own. */
    public static BusbarOperator of(OperatorDefinition definition) {
        return new BusbarOperator(definition);
    }

    /** What {@code dev --demo} plays. */
    public BusbarOperator withDemo(Demo played) {
        demo = played;
        return this;
    }

    /** What {@code version} prints, where that is not the version of the jar that has the first bundle. */
    public BusbarOperator withVersion(String known) {
        version = known;
        return this;
    }

    /**
     * One more command.
     *
     * @param command makes it: an object annotated as picocli's {@code Command}
     */
    public BusbarOperator withCommand(String name, Supplier<Object> command) {
        commands.put(name, command);
        return this;
    }

    /**
     * Another operator in the same jar and image, with a command line of its own: {@code NAME [run|manifests|…] FLAGS}.
     * Its definition names it as its command.
     */
    public BusbarOperator withProgram(OperatorDefinition other) {
        programs.add(other);
        return this;
    }

    /** As {@link #run(String[], Bundle, Bundle...)}. */
    public void run(String... args) {
        VirtualMachine.settle();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> report("a thread has failed", thrown));
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        try {
            System.exit(commandLine(System.getenv(), out, err).execute(args));
        } catch (Throwable unforeseen) { // else threads that run already would keep a process that does nothing
            try {
                report("the command has failed", unforeseen);
            } finally {
                System.exit(1);
            }
        }
    }

    /**
     * The same without a process of its own: whoever executes it gets the exit code.
     *
     * @param variables of the environment
     */
    public OperatorCommandLine commandLine(Map<String, String> variables, PrintWriter out, PrintWriter err) {
        Map<String, Supplier<Object>> all = new LinkedHashMap<>(commands);
        for (OperatorDefinition other : programs) {
            all.put(
                    other.name(),
                    () -> ProgramCommand.spec(
                            of(other).commandLine(variables, out, err),
                            other.about().summary()));
        }
        return new OperatorCommandLine(
                definition, Optional.ofNullable(demo), all, Optional.ofNullable(version), variables, out, err);
    }

    /** In the format of all other log lines. */
    private static void report(String message, Throwable thrown) {
        LoggerFactory.getLogger(BusbarOperator.class)
                .atError()
                .addKeyValue("place", Thread.currentThread().getName())
                .setCause(Thrown.loggable(thrown))
                .log(message);
    }
}
