package io.busbar.operator.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The table of flags in {@code manifests/README.md} is what the command line says of itself. */
class FlagsTableTest {

    private static final Path README = Path.of("..", "manifests", "README.md");
    private static final String DEFAULT = " Default: ";

    private final CommandSpec run = Main.program()
            .commandLine(Map.of(), new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()))
            .spec("run");

    @Test
    void has_a_row_for_each_flag_with_its_default_and_its_meaning() throws IOException {
        List<String> rows = Files.readAllLines(README).stream()
                .filter(line -> line.startsWith("| `--"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(run.options().stream()
                        .filter(option -> !option.usageHelp() && !option.versionHelp())
                        .map(this::row)
                        .toList());
    }

    private String row(OptionSpec option) {
        String meaning = String.join("", option.description())
                .replace("${COMPLETION-CANDIDATES}", candidates(option))
                .replace("${DEFAULT-VALUE}", String.valueOf(option.defaultValueString(true)));
        int at = meaning.lastIndexOf(DEFAULT);
        String text = at < 0 ? meaning : meaning.substring(0, at);
        String stated = at < 0 ? "" : meaning.substring(at + DEFAULT.length(), meaning.length() - 1);
        boolean flag = option.arity().max() == 0;
        return "| `" + option.longestName() + (flag ? "" : "=" + option.paramLabel()) + "` | " + (flag ? "off" : stated)
                + " | " + text + " |";
    }

    private static String candidates(OptionSpec option) {
        return option.completionCandidates() == null ? "" : String.join(", ", option.completionCandidates());
    }
}
