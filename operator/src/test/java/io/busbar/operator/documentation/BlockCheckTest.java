package io.busbar.operator.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds the pages to the truth refuses what is not true, and what it cannot tell. */
@KubernetesSandbox
class BlockCheckTest {

    private static final String VALIDATOR =
            "docs/examples/webpage/src/main/java/com/example/webpage/webpage/v1/WebPageValidator.java";

    private final BlockCheck check;

    @TempDir
    private Path classes;

    BlockCheckTest(KubernetesClient client) {
        check = new BlockCheck(client);
    }

    private void check(String page, String text) throws Exception {
        List<Block> blocks = new Page(page, text.lines().toList()).blocks();
        for (Block block : blocks) {
            check.check(block, blocks, classes);
        }
    }

    private void passes(String text) {
        assertThatCode(() -> check("docs/a.md", text)).doesNotThrowAnyException();
    }

    private void fails(String text, String message) {
        assertThatThrownBy(() -> check("docs/a.md", text))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("docs/a.md:")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "json", "properties", "go", "bash"})
    void a_language_that_nothing_checks_is_refused_with_what_is_allowed(String language) {
        fails("text\n```" + language + "\nx\n```", "docs/a.md:2: nothing checks a block of '" + language + "'");
        fails("```" + language + "\nx\n```", "Allowed above a block");
    }

    @Test
    void lines_of_a_file_are_there_in_a_row_with_what_is_left_out_marked() {
        passes(cited("java", VALIDATOR, """
                @Override
                public Verdict update(WebPage before, WebPage after, AdmissionRequest request) {
                    return create(after, request);
                }
                """));
        passes(cited("java", VALIDATOR, """
                public Verdict create(WebPage webPage, AdmissionRequest request) {
                    // …
                }
                """));
        fails(
                cited("java", VALIDATOR, """
                @Override
                    return create(after, request);
                """),
                "this line is not in " + VALIDATOR + " where it should be: return create(after, request);");
        fails(cited("java", VALIDATOR, "return createOther(after, request);\n"), "createOther");
        fails(cited("java", VALIDATOR, "\n"), "this block is empty");
    }

    @Test
    void a_file_that_nothing_builds_cannot_be_named() {
        fails(cited("java", "docs/None.java", "x\n"), "there is no file docs/None.java");
        fails(cited("java", "README.md", "# Busbar\n"), "allowed: a file that is built or tested");
        fails(cited("java", "../../etc/hosts", "x\n"), "there is no file");
    }

    @Test
    void java_is_a_whole_class_that_compiles_with_those_of_its_page() {
        passes("```java\nrecord Box(Lid lid) {}\n```\n\n```java\nrecord Lid(String colour) {}\n```");
        fails("```java\nrecord Box(NoSuchLid lid) {}\n```", "cannot find symbol");
        fails("```java\nint i = 1;\n```", "java that is no whole class is not checked");
    }

    @Test
    void code_of_others_stands_beside_ours_on_its_pages_alone() throws Exception {
        String text = "<!-- not ours: the SDK -->\n```java\nint i = 1;\n```";
        check("docs/coming-from-there.md", text);
        fails(text, "code of the SDK is not allowed here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java -jar busbar.jar --leader-elect --webhook-port=9443",
                "java -XX:+ExitOnOutOfMemoryError -jar a/busbar.jar dev --demo && mvn -q verify",
                "java -jar busbar.jar create webhook --group=shop --version=v1 --kind=Crate --defaulting",
                "mvn busbar:create-api -Dgroup=shop -Dversion=v1 -Dkind=Crate   # one more kind",
                "mvn busbar:create-webhook -Dversion=v1 -Dkind=Crate -Dprogrammatic-validation",
                "mvn io.busbar:busbar-maven-plugin:1.0:init \\\n  -Ddomain=example.com",
                "KUBECONFIG=a mvn -Pcluster -pl operator -am -Dbusbar.soak=PT1M verify",
                "kubectl --kubeconfig .busbar/kubeconfig get pods | cat > 'a b'",
                "kubectl apply -k manifests/config/default 2>&1",
            })
    void commands_that_the_programs_take_pass(String command) {
        passes("```sh\n" + command + "\n```");
    }

    @Test
    void commands_that_the_programs_do_not_take_fail() {
        fails("```sh\njava -jar busbar.jar --no-such-flag\n```", "--no-such-flag");
        fails("```sh\njava -jar busbar.jar --webhook-port=high\n```", "high");
        fails("```sh\njava -jar busbar.jar create api --colour=red\n```", "--colour=red");
        fails("```sh\njava -jar busbar.jar fly\n```", "command 'fly'");
        fails("```sh\njava Main\n```", "java without -jar FILE");
        fails("```sh\nmvn busbar:fly\n```", "busbar:fly; allowed: the goals");
        fails("```sh\nmvn busbar:create-api -Dcolour=red\n```", "-Dcolour");
        fails("```sh\nmvn busbar:init -Dkind=Crate\n```", "-Dkind");
        fails("```sh\nmvn -Dno.such.property verify\n```", "-Dno.such.property");
        fails("```sh\nmvn -Pno-such-profile verify\n```", "-Pno-such-profile");
        fails("```sh\nmvn -pl no-such-module verify\n```", "-pl no-such-module");
        fails("```sh\nkubectl fly\n```", "'fly'; allowed:");
        fails("```sh\nkubectl apply -f manifests/config/none.yaml\n```", "the file manifests/config/none.yaml");
        fails("```sh\nls && fly --high\n```", "the program fly");
        fails("```sh\n# nothing\n```", "no command in this block");
    }

    @Test
    void yaml_is_an_object_that_a_cluster_takes_as_it_stands() {
        String map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";
        passes("```yaml\n" + map + "data:\n  a: b\n---\n" + map + "```");
        fails("```yaml\n" + map + "dats:\n  a: b\n```", "dats");
        fails("```yaml\nkind: [\n```", "docs/a.md:1");
        fails("```yaml\nreplicas: 1\n```", "YAML that is no object of Kubernetes");
        fails("```yaml\napiVersion: none.example.com/v1\nkind: None\nmetadata:\n  name: a\n```", "refuses this None");
    }

    @Test
    void xml_names_artifacts_that_are_published() {
        passes("```xml\n<groupId>io.busbar</groupId>\n<artifactId>busbar-testkit</artifactId>\n```");
        fails("```xml\n<a>\n```", "docs/a.md:1");
        fails(
                "```xml\n<dependency><groupId>io.busbar</groupId><artifactId>busbar-none</artifactId></dependency>\n```",
                "artifact busbar-none; allowed: busbar-");
    }

    @Test
    void pages_have_links_and_headings_as_a_reader_sees_them() {
        Page page = new Page(
                "docs/a.md",
                List.of(
                        "# One `two`, *three*",
                        "[a](b.md#c), `[x](y)` and [d](#one-two-three)",
                        "```text",
                        "[e](f)",
                        "```"));

        assertThat(page.anchors()).containsExactly("one-two-three");
        assertThat(page.links()).extracting(Page.Link::target).containsExactly("b.md#c", "#one-two-three");
        assertThatThrownBy(() -> new Page("docs/a.md", List.of("```sh", "x")).blocks())
                .hasMessage("docs/a.md:1: this fence is never closed");
    }

    @Test
    void commands_flags_and_goals_within_a_text_are_those_of_the_programs() {
        List<String> right =
                List.of("--leader-elect", "--webhook-certs=none", "mvn busbar:dev", "busbar:dev", "any text");
        right.forEach(text -> assertThatCode(() -> snippet(text)).as(text).doesNotThrowAnyException());

        assertThatThrownBy(() -> snippet("--no-such-flag=1"))
                .hasMessage("docs/a.md:1: no command has the flag --no-such-flag");
        assertThatThrownBy(() -> snippet("busbar:fly")).hasMessageContaining("busbar:fly; allowed: the goals");
        assertThatThrownBy(() -> snippet("mvn fly")).hasMessageContaining("'fly'; allowed: the phases");
    }

    private void snippet(String text) {
        Page page = new Page("docs/a.md", List.of("This is `" + text + "` in a line."));
        page.snippets().forEach(snippet -> check.check(page.name(), snippet));
    }

    private static String cited(String language, String file, String text) {
        return "<!-- " + file + " -->\n```" + language + "\n" + text + "```";
    }
}
