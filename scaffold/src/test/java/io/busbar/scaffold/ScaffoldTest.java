package io.busbar.scaffold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.scaffold.Outcome.What;
import io.busbar.scaffold.files.Edition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScaffoldTest {

    private static final String SOURCES = "src/main/java/com/example/shop/";
    private static final String SPEC = SOURCES + "crate/v1/CrateSpec.java";

    @TempDir
    private Path temporary;

    /** Its name is that of the project, where nothing else is said. */
    private Folder folder() throws IOException {
        return new Folder(temporary.resolve("shop"));
    }

    private static ApiRequest api(String version) {
        return new ApiRequest("shop", version, "Crate", null, true, true, null, false);
    }

    private static WebhookRequest webhooks() {
        return new WebhookRequest("shop", "v1", "Crate", true, true, false, List.of(), false);
    }

    private static WebhookRequest conversion(String hub, String... spokes) {
        return new WebhookRequest("shop", hub, "Crate", false, false, true, List.of(spokes), false);
    }

    @Test
    void makes_a_project_in_a_folder_that_is_not_there_yet() throws IOException {
        Outcome outcome = folder().scaffold().init("example.com", null, null, false);

        assertThat(folder().files().keySet())
                .containsExactly(
                        ".github/workflows/ci.yml",
                        ".gitignore",
                        ".scaffold.json",
                        "AGENTS.md",
                        "PROJECT",
                        "README.md",
                        "pom.xml",
                        SOURCES + "ShopBundle.java",
                        SOURCES + "ShopOperator.java",
                        "src/main/resources/com/example/shop/operator.properties",
                        "src/test/java/com/example/shop/ShopManifestsTest.java");
        assertThat(outcome.paths(What.MADE))
                .containsExactlyElementsOf(folder().files().keySet());
        assertThat(outcome.next())
                .containsExactly("java -jar busbar.jar create api --group=GROUP --version=v1 --kind=KIND");
        assertThat(folder().text("pom.xml"))
                .contains("<groupId>com.example.shop</groupId>", "<artifactId>shop</artifactId>");
    }

    @Test
    void adds_a_kind_with_a_controller_and_webhooks_and_says_what_comes_next() throws IOException {
        Scaffold scaffold = folder().scaffold();
        scaffold.init("example.com", null, null, false);

        Outcome api = scaffold.createApi(api("v1"));
        Outcome webhooks = scaffold.createWebhook(webhooks());

        assertThat(api.paths(What.MADE))
                .containsExactly(
                        SOURCES + "crate/CrateReconciler.java",
                        SOURCES + "crate/v1/Crate.java",
                        SPEC,
                        SOURCES + "crate/v1/CrateStatus.java",
                        "src/main/resources/com/example/shop/samples/shop_v1_crate.yaml",
                        "src/test/java/com/example/shop/crate/CrateOperatorTest.java",
                        "src/test/java/com/example/shop/crate/CrateReconcilerTest.java");
        assertThat(api.next())
                .contains(
                        "mvn verify",
                        "java -jar busbar.jar create webhook --group=shop --version=v1 --kind=Crate --defaulting"
                                + " --programmatic-validation");
        assertThat(webhooks.paths(What.MADE))
                .contains(SOURCES + "crate/v1/CrateDefaulter.java", SOURCES + "crate/v1/CrateValidator.java");
        assertThat(webhooks.paths(What.REMADE))
                .containsExactly(".scaffold.json", "PROJECT", SOURCES + "ShopBundle.java");
    }

    @Test
    void tells_who_calls_it_by_maven_of_mavens_commands() throws IOException {
        Scaffold scaffold = new Scaffold(temporary.resolve("shop"), Edition.current(), Invocation.MAVEN);

        assertThat(scaffold.init("example.com", null, null, false).next())
                .containsExactly("mvn busbar:create-api -Dgroup=GROUP -Dversion=v1 -Dkind=KIND");
        assertThatThrownBy(
                        () -> scaffold.createApi(new ApiRequest("shop", "v1", "crate", null, true, true, null, false)))
                .hasMessageStartingWith("-Dkind: 'crate'");
    }

    @Test
    void never_edits_what_people_have_written() throws IOException {
        Scaffold scaffold = folder().scaffold();
        scaffold.init("example.com", null, null, false);
        scaffold.createApi(api("v1"));
        for (String path : folder().files().keySet()) {
            if (!List.of("PROJECT", ".scaffold.json", SOURCES + "ShopBundle.java")
                    .contains(path)) {
                folder().write(path, "// mine\n" + folder().text(path));
            }
        }
        Map<String, String> before = folder().files();

        scaffold.createWebhook(webhooks());
        scaffold.createApi(api("v2"));
        scaffold.createWebhook(conversion("v1", "v2"));
        scaffold.edit(true, true, true);
        scaffold.createApi(new ApiRequest("other", "v1", "Barrel", null, false, true, null, false));

        Map<String, String> after = folder().files();
        before.forEach((path, text) -> {
            if (text.startsWith("// mine\n")) {
                assertThat(after).containsEntry(path, text);
            }
        });
    }

    @Test
    void a_spoke_that_nobody_has_written_in_becomes_a_converted_one() throws IOException {
        Scaffold scaffold = folder().scaffold();
        scaffold.init("example.com", null, null, false);
        scaffold.createApi(api("v1"));
        scaffold.createApi(api("v2"));
        assertThat(folder().text(SOURCES + "crate/v2/Crate.java"))
                .contains("@Version(value = \"v2\", storage = false)")
                .doesNotContain("@Converted");

        Outcome outcome = scaffold.createWebhook(conversion("v1", "v2"));

        assertThat(folder().text(SOURCES + "crate/v2/Crate.java")).contains("@Converted");
        assertThat(outcome.paths(What.KEPT)).isEmpty();
        assertThat(folder().text(SOURCES + "ShopBundle.java"))
                .contains(
                        "Versions.hub(com.example.shop.crate.v1.Crate.class)"
                                + ".spoke(com.example.shop.crate.v2.Crate.class, new com.example.shop.crate.v2.CrateConverter())");
    }

    @Test
    void a_spoke_that_people_have_written_in_is_left_to_update() throws IOException {
        Scaffold scaffold = folder().scaffold();
        String spoke = SOURCES + "crate/v2/Crate.java";
        scaffold.init("example.com", null, null, false);
        scaffold.createApi(api("v1"));
        scaffold.createApi(api("v2"));
        folder().write(spoke, folder().text(spoke) + "// mine\n");

        Outcome created = scaffold.createWebhook(conversion("v1", "v2"));
        assertThat(created.paths(What.KEPT)).containsExactly(spoke);
        assertThat(created.next().get(0))
                .startsWith("java -jar busbar.jar update")
                .endsWith(spoke);

        assertThat(scaffold.update().paths(What.MERGED)).containsExactly(spoke);
        assertThat(folder().text(spoke)).contains("@Converted").endsWith("// mine\n");
    }

    @Test
    void force_writes_over_what_a_command_makes_and_nothing_else() throws IOException {
        Scaffold scaffold = folder().scaffold();
        scaffold.init("example.com", null, null, false);
        scaffold.createApi(api("v1"));
        scaffold.createWebhook(webhooks());
        String spec = folder().text(SPEC);
        String defaulter = SOURCES + "crate/v1/CrateDefaulter.java";
        folder().write(SPEC, "mine\n");
        folder().write(defaulter, "mine\n");
        folder().write("README.md", "mine\n");

        scaffold.createWebhook(new WebhookRequest("shop", "v1", "Crate", true, false, false, List.of(), true));
        assertThat(folder().text(defaulter)).isNotEqualTo("mine\n");
        assertThat(folder().text(SPEC)).isEqualTo("mine\n");

        scaffold.createApi(new ApiRequest("shop", "v1", "Crate", null, true, true, null, true));
        assertThat(folder().text(SPEC)).isEqualTo(spec);
        assertThat(folder().text("README.md")).isEqualTo("mine\n");
    }

    @Nested
    class Refuses {

        @Test
        void all_that_is_wrong_at_once() throws IOException {
            refused(
                    () -> folder().scaffold().init("Example", "Shop", "com.class", false),
                    "--domain: 'Example' is not allowed; allowed: a DNS name",
                    "--project-name: 'Shop' is not allowed; allowed: a letter",
                    "--repo: 'com.class' is not allowed; allowed: a Java package");
            Scaffold scaffold = started();
            refused(
                    () -> scaffold.createApi(new ApiRequest("Shop", "1", "crate", "Crates", true, true, null, false)),
                    "--group: 'Shop'",
                    "--version: '1'",
                    "--kind: 'crate'",
                    "--plural: 'Crates'");
            refused(
                    () -> scaffold.createWebhook(
                            new WebhookRequest("shop", "1", "crate", false, false, false, List.of("v2", "v2"), false)),
                    "--version: '1'",
                    "--kind: 'crate'",
                    "webhooks: 'none' is not allowed; allowed: --defaulting, --programmatic-validation, --conversion",
                    "--spoke: 'v2, v2' is not allowed; allowed: each version once",
                    "--spoke: 'v2, v2' is not allowed; allowed: none without --conversion",
                    "--kind: 'crate shop/1'");
        }

        @Test
        void a_second_project_and_files_that_are_there() throws IOException {
            folder().write("pom.xml", "<project/>\n");
            folder().write("README.md", "mine\n");
            refused(
                    () -> folder().scaffold().init("example.com", null, null, false),
                    "pom.xml: 'a file that is there'",
                    "README.md: 'a file that is there'");

            folder().scaffold().init("example.com", null, null, true);
            refused(
                    () -> folder().scaffold().init("example.com", null, null, true),
                    "PROJECT: 'one in " + folder().root() + "' is not allowed; allowed: none");
        }

        @Test
        void what_stands_in_the_way_of_folders_and_files() throws IOException {
            folder().write("src", "a file\n");
            folder().write("pom.xml/in.txt", "a folder\n");
            refused(
                    () -> folder().scaffold().init("example.com", null, null, true),
                    folder().root().resolve("pom.xml") + ": 'a folder' is not allowed; allowed: a file, or nothing",
                    folder().root().resolve("src") + ": 'a file' is not allowed; allowed: a folder");
        }

        @Test
        void commands_where_there_is_no_project() throws IOException {
            refused(
                    () -> folder().scaffold().createApi(api("v1")),
                    "PROJECT: 'none in " + folder().root() + "' is not allowed; allowed: a folder that has one;"
                            + " this makes it: java -jar busbar.jar init --domain=example.com");
            refused(() -> folder().scaffold().update(), "PROJECT: 'none in");
        }

        @Test
        void a_kind_a_group_or_a_webhook_twice() throws IOException {
            Scaffold scaffold = started();
            scaffold.createApi(api("v1"));
            scaffold.createWebhook(webhooks());
            refused(() -> scaffold.createApi(api("v1")), "--kind: 'Crate shop.example.com/v1'");
            refused(
                    () -> scaffold.createApi(
                            new ApiRequest("shop.example.com", "v1", "Barrel", null, true, true, null, false)),
                    "--group: 'shop.example.com' is not allowed; allowed: one without the domain example.com",
                    "--group: 'shop.example.com' is not allowed; allowed: shop, or any after:"
                            + " java -jar busbar.jar edit --multigroup");
            refused(
                    () -> scaffold.createWebhook(webhooks()),
                    "--defaulting: 'true' is not allowed; allowed: false, as there is such a webhook",
                    "--programmatic-validation: 'true' is not allowed");
            refused(
                    () -> scaffold.createApi(new ApiRequest("shop", "v1", "ShopBundle", null, true, true, null, false)),
                    "--kind: 'ShopBundle' is not allowed; allowed: another name than that of the project's bundle");
            refused(
                    () -> scaffold.createApi(new ApiRequest("shop", "v1", "CRATE", null, true, true, null, false)),
                    "--plural: 'crates' is not allowed; allowed: another one than that of Crate");
            refused(
                    () -> scaffold.createApi(new ApiRequest("shop", "v2", "Crate", null, true, true, true, false)),
                    "--controller: 'true' is not allowed; allowed: false, as there is one of v1");
            refused(
                    () -> scaffold.createApi(new ApiRequest("shop", "v2", "Crate", null, false, true, null, false)),
                    "--namespaced: 'false' is not allowed; allowed: true, as v1 has it");
        }

        @Test
        void spokes_that_are_no_other_versions() throws IOException {
            Scaffold scaffold = started();
            scaffold.createApi(api("v1"));
            refused(
                    () -> scaffold.createWebhook(conversion("v1")),
                    "--spoke: '' is not allowed; allowed: one or more of other versions of Crate, of which there are none yet");
            scaffold.createApi(api("v2"));
            refused(() -> scaffold.createWebhook(conversion("v1", "v1")), "--spoke: 'v1' is not allowed; allowed: v2");
            refused(() -> scaffold.createWebhook(conversion("v1", "v3")), "--spoke: 'v3' is not allowed; allowed: v2");
            scaffold.createWebhook(conversion("v1", "v2"));
            refused(
                    () -> scaffold.createWebhook(conversion("v2", "v1")),
                    "--version: 'v2' is not allowed; allowed: v1, which is the hub of Crate");
        }

        @Test
        void a_project_that_another_edition_has_made() throws IOException {
            Scaffold scaffold = started();
            folder().write("PROJECT", folder().text("PROJECT").replaceFirst("cliVersion: .*", "cliVersion: 0.0.1"));
            refused(
                    () -> scaffold.createApi(api("v1")),
                    "PROJECT: cliVersion: '0.0.1' is not allowed; allowed: "
                            + Edition.current().version() + ", which this brings it to: java -jar busbar.jar update");
        }

        @Test
        void a_project_and_a_record_that_cannot_be_read() throws IOException {
            Scaffold scaffold = started();
            String project = folder().text("PROJECT");
            folder().write("PROJECT", project + "<<<<<<< mine\n");
            refused(() -> scaffold.createApi(api("v1")), "PROJECT: 'line ");
            folder().write("PROJECT", project);
            folder().write(".scaffold.json", "{");
            refused(() -> scaffold.createApi(api("v1")), ".scaffold.json: '");
            Files.delete(folder().root().resolve(".scaffold.json"));
            refused(scaffold::update, ".scaffold.json: 'none' is not allowed; allowed: the file that the scaffold");
        }

        private Scaffold started() throws IOException {
            Scaffold scaffold = folder().scaffold();
            scaffold.init("example.com", null, null, false);
            return scaffold;
        }

        /** With these lines and no others, and nothing has changed. */
        private void refused(ThrowingCallable command, String... lines) throws IOException {
            Map<String, String> before = folder().files();
            assertThatThrownBy(command)
                    .isInstanceOf(InvalidConfigurationException.class)
                    .message()
                    .satisfies(message -> {
                        List<String> told = message.lines().toList();
                        assertThat(told).hasSize(lines.length);
                        for (int i = 0; i < lines.length; i++) {
                            assertThat(told.get(i)).startsWith(lines[i]);
                        }
                    });
            assertThat(folder().files()).isEqualTo(before);
        }
    }
}
