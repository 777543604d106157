package io.busbar.blueprint.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.blueprint.Blueprints;
import io.busbar.common.configuration.InvalidConfigurationException;
import java.io.IOException;
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

class BlueprintCommandsTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void tell_that_a_blueprint_is_fine_and_what_it_makes() throws IOException {
        Path file = copied("web-application.yaml");

        assertThat(run("check", file)).isZero();

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .isEqualTo(file + ": web-application is fine: WebApplication of shop.example.com/v1alpha1"
                        + " makes deployment, service, ingress%n".formatted());
    }

    @Test
    void tell_each_problem_in_a_line_with_its_position() throws IOException {
        Path file = Files.writeString(
                folder.resolve("bad.yaml"),
                Blueprints.file("web-application.yaml")
                        .replace("replicas: ${schema.spec.replicas}\n", "replicas: ${schema.spec.name}\n")
                        .replace("pathType: Prefix", "pathKind: Prefix")
                        .replace("${schema.spec.ingress.enabled}", "${schema.spec.ingress.enabled"));

        assertThat(run("check", file)).isEqualTo(1);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        file
                                + ": spec.resources[0].includeWhen[0]: line 35, column 11: the expression has no closing brace",
                        file + ": spec.resources[0].template.spec.rules[0].http.paths[0].pathKind: line 47, column 21:"
                                + " unknown field of an object HTTPIngressPath; there is path, pathType",
                        file + ": spec.resources[2].template.spec.replicas: line 76, column 23: 'schema.spec.name' is a"
                                + " string; the field needs an integer");
    }

    @Test
    void do_not_tell_that_a_blueprint_is_fine_whose_file_is_not() throws IOException {
        Path file = Files.writeString(
                folder.resolve("doubled.yaml"),
                Blueprints.file("web-application.yaml")
                        .replace(
                                "    group: shop.example.com\n",
                                "    group: shop.example.com\n    group: other.example.com\n"));

        assertThat(run("check", file)).isEqualTo(1);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .endsWith("spec.schema.group: line 11, column 5: the field is there twice");
    }

    @Test
    void print_what_to_install() throws IOException {
        Path file = copied("shared-config.yaml");

        assertThat(run("crd", file)).isZero();
        assertThat(run("role", file)).isZero();

        assertThat(out.toString()).contains("name: echoservices.busbar.io", "kind: ClusterRole");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void print_what_would_be_applied_and_what_waits() throws IOException {
        Path file = copied("web-application.yaml");
        Path instance = copied("web-application-instance.yaml");

        assertThat(run("render", file, instance)).isZero();

        assertThat(err.toString()).isEmpty();
        assertThat(Blueprints.objects(out.toString()))
                .containsExactly(Blueprints.objects(Blueprints.file("web-application-objects.yaml"))
                        .get(0));
        assertThat(out.toString())
                .contains("# deployment: applied, not ready: it has just been applied")
                .contains("# service: waiting: 'deployment' is not ready")
                .contains("# ingress: waiting: 'service' is not ready")
                .contains("# not known yet: availableReplicas: 'deployment.status.availableReplicas' is not known yet");
    }

    @Test
    void go_on_with_what_is_live() throws IOException {
        Path file = copied("web-application.yaml");
        Path instance = copied("web-application-instance.yaml");

        assertThat(run("render", file, instance, "--with", copied("web-application-live.yaml")))
                .isZero();

        assertThat(Blueprints.objects(out.toString()))
                .isEqualTo(Blueprints.objects(Blueprints.file("web-application-objects.yaml")));
        assertThat(out.toString()).contains("#   availableReplicas: 2").doesNotContain("waiting", "not known");
    }

    @Test
    void tell_what_is_wrong_with_an_instance() throws IOException {
        Path file = copied("web-application.yaml");
        Path instance = Files.writeString(
                folder.resolve("instance.yaml"),
                Blueprints.file("web-application-instance.yaml")
                        .replace("replicas: 2", "replicas: 11")
                        .replace("enabled: true", "enabled: 'true'")
                        .replace("name: front\n  replicas", "nam: front\n  replicas"));

        assertThat(run("render", file, instance)).isEqualTo(1);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .containsExactly(
                        instance + ": spec: line 7, column 3: the field 'name' is missing",
                        instance + ": spec.nam: line 7, column 3: unknown field",
                        instance + ": spec.replicas: line 8, column 13: 11 is more than 10",
                        instance + ": spec.ingress.enabled: line 10, column 14: 'true' is not of the type boolean");
    }

    @Test
    void take_types_of_other_kinds_from_a_folder() throws IOException {
        Path file = copied("databases.yaml");
        Path kinds = Files.createDirectory(folder.resolve("kinds"));

        assertThat(run("check", file)).isZero();
        Files.writeString(kinds.resolve("database.yaml"), Blueprints.file("database-crd.yaml"));

        assertThat(run("check", file, "--openapi", kinds)).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(file + ": spec.resources[0].template.spec.shards: line 16, column 21:"
                        + " 'schema.spec.size' is a string; the field needs an integer");
    }

    @Test
    void end_with_2_when_they_are_called_in_a_wrong_way() throws IOException {
        assertThat(run()).isEqualTo(2);
        assertThat(run("check")).isEqualTo(2);
        assertThat(run("check", folder.resolve("nowhere"))).isEqualTo(2);
        assertThat(run("check", copied("web-application.yaml"), "--openapi", folder.resolve("nowhere")))
                .isEqualTo(2);
        assertThat(run("render", copied("web-application.yaml"))).isEqualTo(2);

        assertThat(err.toString())
                .contains("blueprint: 'nothing' is not allowed; allowed: check, crd, role, render, run, pack")
                .contains("FILE: '" + folder.resolve("nowhere") + "' is not allowed; allowed: a file that can be read")
                .contains("--openapi: '")
                .contains("Missing required parameter")
                .doesNotContain("\tat ");
    }

    @Test
    void refuse_to_pack_what_cannot_run_as_one_operator() throws IOException {
        Path one = copied("web-application.yaml");
        Path same = Files.writeString(folder.resolve("same.yaml"), Blueprints.file("web-application.yaml"));
        Path other = Files.writeString(
                folder.resolve("other.yaml"),
                Blueprints.file("shared-config.yaml")
                        .replaceFirst("name: [a-z-]+", "name: Shared_Config")
                        .replaceFirst("spec:\n", "spec:\n  serviceAccountName: '-'\n"));
        Path output = folder.resolve("shop.jar");

        assertThat(run("pack", one, same, other, "--name", "shop", "--output", output))
                .isEqualTo(1);

        String allowed = "; allowed: lower-case letters, digits, '-' and '.', a letter or a digit first and last";
        assertThat(err.toString().lines())
                .containsExactly(
                        same + ": metadata.name: 'web-application' is taken by a Blueprint in " + one
                                + "; allowed: one Blueprint of each name, and one for each kind",
                        same + ": spec.schema: 'WebApplication (webapplications.shop.example.com)' is taken by a"
                                + " Blueprint in " + one
                                + "; allowed: one Blueprint of each name, and one for each kind",
                        other + ": metadata.name: 'Shared_Config'" + allowed,
                        other + ": spec.serviceAccountName: '-'" + allowed);
        assertThat(output).doesNotExist();
    }

    @Test
    void refuse_flags_of_pack_all_at_once() throws IOException {
        Path file = copied("web-application.yaml");

        assertThat(run("pack", file, "--name", "Shop!", "--version", "1", "--output", file))
                .isEqualTo(2);
        assertThat(run("pack", file, "--name", "shop", "--output", folder.resolve("nowhere/shop.jar")))
                .isEqualTo(2);
        assertThat(run("pack", file, "--name", "shop", "--previous", file)).isEqualTo(2);
        assertThat(run("pack", file, "--name", "shop", "--image-name", "shop:1"))
                .isEqualTo(2);
        assertThat(run("pack", file, "--name", "shop", "--image", file, "--image-name", "shop", "--image-output", file))
                .isEqualTo(2);
        assertThat(run("pack", "--name", "shop")).isEqualTo(2);
        assertThat(run("pack", file)).isEqualTo(2);

        assertThat(err.toString())
                .contains("--name: 'Shop!' is not allowed; allowed: at most 28 lower-case letters")
                .contains("--version: '1' is not allowed; allowed: MAJOR.MINOR.PATCH[-PRERELEASE]")
                .contains("--output: '" + file
                        + "' is not allowed; allowed: a new file, or a jar that blueprint pack has written")
                .contains("nowhere/shop.jar' is not allowed; allowed: a file in a folder that is there")
                .contains("--previous: '" + file + "' is not allowed; allowed: a jar that blueprint pack has written")
                .contains("--image-name: 'shop:1' is not allowed; allowed: no value without --image")
                .contains("--image: '" + file + "' is not allowed; allowed: an OCI archive")
                .contains("--image-name: 'shop' is not allowed; allowed: NAME:TAG")
                .contains("--image-output: '" + file + "' is not allowed; allowed: a new file, or an OCI archive")
                .contains("Missing required parameter: 'FILE'")
                .contains("Missing required option: '--name=NAME'");
        assertThat(file).hasContent(Blueprints.file("web-application.yaml"));
    }

    @Test
    void know_the_kinds_of_blueprints_that_are_checked_with_them() throws IOException {
        Path whole = Files.writeString(folder.resolve("whole.yaml"), Blueprints.with("spec: {size: string}", """
                        - id: part
                          template:
                            apiVersion: busbar.io/v1
                            kind: Part
                            metadata: {name: part}
                            spec: {count: "${schema.spec.size}"}
                        """));
        Path part = Files.writeString(
                folder.resolve("part.yaml"),
                Blueprints.with("spec: {count: integer}", "").replace("kind: Test", "kind: Part"));

        assertThat(run("check", whole)).isZero();
        assertThat(run("check", whole, part)).isEqualTo(1);

        assertThat(err.toString()).contains("'schema.spec.size' is a string; the field needs an integer");
    }

    private Path copied(String name) throws IOException {
        return Files.writeString(folder.resolve(name), Blueprints.file(name));
    }

    @Command(name = "busbar")
    private static final class Root {}

    /** As the command line of an operator runs its commands. */
    private int run(Object... words) {
        CommandLine line = new CommandLine(new Root());
        BlueprintCommands.all().forEach((name, command) -> line.addSubcommand(name, command.get()));
        CommandLine blueprint = line.getSubcommands().get("blueprint");
        blueprint.getCommandSpec().parser().collectErrors(true);
        blueprint
                .getSubcommands()
                .values()
                .forEach(each -> each.getCommandSpec().parser().collectErrors(true));
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        line.setExecutionStrategy(this::execute);
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            err.write(failure.getMessage() + "\n");
            return failure instanceof InvalidConfigurationException ? 2 : 1;
        });
        List<String> all = new ArrayList<>(List.of("blueprint"));
        List.of(words).forEach(word -> all.add(word.toString()));
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
