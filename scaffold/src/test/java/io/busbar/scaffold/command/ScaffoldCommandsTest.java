package io.busbar.scaffold.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.common.configuration.InvalidConfigurationException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

class ScaffoldCommandsTest {

    @TempDir
    private Path temporary;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void make_a_project_with_kubebuilders_flags() throws Exception {
        assertThat(run("init --domain example.com --project-name shop --repo org.shop"))
                .isZero();
        assertThat(run("create api --group shop --version v1 --kind Crate --namespaced=false --resource --controller"))
                .isZero();
        assertThat(run("create api --group shop --version v2 --kind Crate --namespaced=false"))
                .isZero();
        assertThat(run("create webhook --group shop --version v1 --kind Crate --defaulting --programmatic-validation"
                        + " --conversion --spoke v2"))
                .isZero();
        assertThat(run("edit --multigroup --chart=true")).isZero();
        assertThat(run("create api --group sea --version v1 --kind Admiral --plural admirales --controller=false"))
                .isZero();
        assertThat(run("update")).isZero();

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("made     PROJECT", "Next:", "java -jar busbar.jar create api", "nothing to do");
        assertThat(temporary.resolve("PROJECT"))
                .content()
                .isEqualTo(new String(
                        ScaffoldCommandsTest.class
                                .getResourceAsStream("/projects/PROJECT")
                                .readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void tell_what_create_can_create() {
        assertThat(run("create")).isEqualTo(2);

        assertThat(err.toString()).contains("create: 'nothing' is not allowed; allowed: api, webhook");
    }

    @Test
    void end_with_1_when_there_are_conflicts() throws Exception {
        run("init --domain example.com --project-name shop");
        Path record = temporary.resolve(".scaffold.json");
        Files.writeString(
                record, Files.readString(record).replace("\"# For whoever works on this project\"", "\"# Before\""));
        Files.writeString(temporary.resolve("AGENTS.md"), "# Mine\n");

        assertThat(run("update")).isEqualTo(1);
        assertThat(out.toString()).contains("conflict AGENTS.md", "settle what stands between");
    }

    @Command(name = "busbar")
    private static final class Root {}

    /** As the command line of an operator runs its commands. */
    private int run(String words) {
        CommandLine line = new CommandLine(new Root());
        ScaffoldCommands.all().forEach((name, command) -> line.addSubcommand(name, command.get()));
        line.getSubcommands()
                .values()
                .forEach(each -> each.getCommandSpec().parser().collectErrors(true));
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        line.setExecutionStrategy(this::execute);
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            err.write(failure.getMessage() + "\n");
            return failure instanceof InvalidConfigurationException ? 2 : 1;
        });
        List<String> all = new ArrayList<>(List.of(words.split(" ")));
        if (!words.equals("create")) {
            all.add("--folder=" + temporary);
        }
        return line.execute(all.toArray(String[]::new));
    }

    private int execute(ParseResult words) {
        List<String> problems = new ArrayList<>();
        for (ParseResult parsed = words; parsed != null; parsed = parsed.subcommand()) {
            parsed.errors().forEach(problem -> problems.add(problem.getMessage()));
        }
        problems.forEach(problem -> err.write(problem + "\n"));
        return problems.isEmpty() ? new CommandLine.RunLast().execute(words) : 2;
    }
}
