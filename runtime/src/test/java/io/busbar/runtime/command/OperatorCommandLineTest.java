package io.busbar.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.reconciler.Controller;
import io.busbar.runtime.BusbarOperator;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.BundleContext;
import io.busbar.runtime.bundle.KindBundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import io.busbar.runtime.bundle.Widget;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

class OperatorCommandLineTest {

    private final Bundle bundle = new KindBundle(Widget.class);
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Command(name = "outer")
    private static final class Outer implements Runnable {
        @Override
        public void run() {}
    }

    @Command(name = "inner")
    @SuppressWarnings("UnusedVariable") // it is the parser that is looked at
    private static final class Inner implements Runnable {
        @Option(names = "--count")
        private int count;

        @Option(names = "--size", required = true)
        private int size;

        @Override
        public void run() {}
    }

    private int execute(String... args) {
        return BusbarOperator.of(OperatorDefinition.of(bundle))
                .withCommand("outer", OperatorCommandLineTest::nested)
                .commandLine(Map.of(), new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(args);
    }

    private static CommandSpec nested() {
        return new CommandLine(new Outer()).addSubcommand(new Inner()).getCommandSpec();
    }

    @Test
    void says_all_that_is_wrong_with_the_flags_of_a_command_within_a_command() {
        assertThat(execute("outer", "inner", "--count=many", "--colour", "--shape"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("'many'")
                .contains("--colour")
                .contains("--shape")
                .containsOnlyOnce("Missing required option: '--size=<size>'")
                .doesNotContain("\tat ");
    }

    @Test
    void writes_manifests_for_the_image_that_is_named(@TempDir Path folder) throws IOException {
        assertThat(execute("manifests", "--output=" + folder, "--image=registry.example.com/shop:1.0"))
                .as(err.toString())
                .isZero();
        assertThat(Files.readString(folder.resolve("dist/install.yaml")))
                .contains("image: registry.example.com/shop:1.0");
        assertThat(Files.readString(folder.resolve("config/manager/kustomization.yaml")))
                .contains("newName: registry.example.com/shop")
                .contains("newTag: \"1.0\"");
    }

    @Test
    void writes_a_bundle_that_replaces_the_version_that_is_named(@TempDir Path folder) throws IOException {
        assertThat(execute("manifests", "--output=" + folder, "--replaces=0.0.1"))
                .as(err.toString())
                .isZero();
        try (Stream<Path> files = Files.list(folder.resolve("bundle/manifests"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".clusterserviceversion.yaml")))
                    .singleElement()
                    .satisfies(file -> assertThat(file).content().containsPattern("\n  replaces: \\w+\\.v0\\.0\\.1\n"));
        }
        assertThat(execute("manifests", "--output=" + folder, "--replaces=latest"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--replaces: 'latest' is not allowed; allowed: MAJOR.MINOR.PATCH[-PRERELEASE]");
    }

    @Test
    void refuses_an_image_without_a_tag(@TempDir Path folder) {
        assertThat(execute("manifests", "--output=" + folder, "--image=shop")).isEqualTo(2);
        assertThat(err.toString()).contains("--image: 'shop' is not allowed; allowed: a name with a tag");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refuses_to_share_out_what_cannot_be_shared_with_the_reason() {
        Bundle alone = new Bundle() {
            @Override
            public String name() {
                return "alone";
            }

            @Override
            public List<Controller<?>> controllers(BundleContext context) {
                return bundle.controllers(context);
            }

            @Override
            public Optional<String> whyNotShared() {
                return Optional.of("it counts");
            }
        };
        int code = BusbarOperator.of(OperatorDefinition.of(alone))
                .commandLine(Map.of(), new PrintWriter(out, true), new PrintWriter(err, true))
                .execute("run", "--shard");

        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .contains("--shard: 'true' is not allowed; allowed: only without the part 'alone', as it counts;"
                        + " with --leader-elect one replica works, and others stand by");
    }
}
