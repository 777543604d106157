package io.busbar.runtime.flags;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

class EnvironmentTest {

    @Command(mixinStandardHelpOptions = true)
    static final class Root {}

    @Command(mixinStandardHelpOptions = true)
    static final class Create {
        @Option(names = "--folder", defaultValue = ".")
        String folder = "";
    }

    @Command
    static final class Api {
        @Option(names = "--kind", required = true)
        String kind = "";

        @Option(names = "--version", defaultValue = "v1")
        String version = "";
    }

    private final Api api = new Api();

    @Test
    void speaks_of_flags_of_commands_within_commands_too() {
        Environment environment = environment(Map.of("SHOP_KIND", "Crate"));

        line(environment).parseArgs("create", "api");

        assertThat(api.kind).isEqualTo("Crate");
        assertThat(environment.unknownVariables(() -> line(environment))).isEmpty();
    }

    @Test
    void names_what_is_no_flag_of_any_command() {
        Environment environment = environment(Map.of("SHOP_KIND", "Crate", "SHOP_KNID", "Crate", "SHOP_HELP", "true"));

        assertThat(environment.unknownVariables(() -> line(environment)))
                .containsExactly(
                        "Unknown environment variable: 'SHOP_HELP'", "Unknown environment variable: 'SHOP_KNID'");
    }

    @Test
    void asks_no_command_for_its_help_or_the_operators_version() {
        Environment environment = environment(Map.of("SHOP_VERSION", "v2", "SHOP_KIND", "Crate"));

        ParseResult parsed = line(environment).parseArgs("create", "api");

        assertThat(api.version).isEqualTo("v2");
        assertThat(parsed.subcommand().isVersionHelpRequested()).isFalse();
    }

    private static Environment environment(Map<String, String> variables) {
        return new Environment("shop", variables);
    }

    private CommandLine line(Environment environment) {
        CommandLine create = new CommandLine(new Create()).addSubcommand("api", new CommandLine(api));
        CommandLine line = new CommandLine(new Root()).addSubcommand("create", create);
        environment.applyTo(line);
        return line;
    }
}
