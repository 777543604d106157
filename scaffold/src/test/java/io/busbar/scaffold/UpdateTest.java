package io.busbar.scaffold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.scaffold.Outcome.What;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpdateTest {

    private static final String AGENTS = "AGENTS.md";
    private static final String HEADING = "# For whoever works on this project\n";

    @TempDir
    private Path temporary;

    private Folder folder;

    @BeforeEach
    void start() throws IOException {
        folder = new Folder(temporary.resolve("shop"));
        folder.scaffold().init("example.com", null, null, false);
        folder.scaffold().createApi(new ApiRequest("shop", "v1", "Crate", null, true, true, null, false));
    }

    @Test
    void has_nothing_to_do_in_a_project_of_this_edition() throws IOException {
        folder.write(AGENTS, "mine\n");
        Map<String, String> before = folder.files();

        Outcome outcome = folder.scaffold().update();

        assertThat(outcome.changes()).isEmpty();
        assertThat(outcome.lines()).containsExactly("nothing to do");
        assertThat(folder.files()).isEqualTo(before);
    }

    @Test
    void joins_what_people_wrote_and_what_the_newer_edition_makes() throws IOException {
        folder.write(AGENTS, folder.text(AGENTS) + "- Mine.\n");
        NewerEdition newer = NewerEdition.changing(AGENTS, HEADING, HEADING + "\nTheirs.\n");

        Outcome outcome = folder.scaffold(newer).update();

        assertThat(outcome.paths(What.MERGED)).containsExactly(AGENTS);
        assertThat(folder.text(AGENTS)).startsWith(HEADING + "\nTheirs.\n").endsWith("- Mine.\n");
        assertThat(folder.text("PROJECT")).contains("cliVersion: 9.0.0");
        assertThat(outcome.next()).containsExactly("mvn verify");
        nothingIsLeftToDo(newer);
    }

    @Test
    void marks_what_both_have_changed_and_does_so_once() throws IOException {
        folder.write(AGENTS, folder.text(AGENTS).replace(HEADING, "# Mine\n"));
        NewerEdition newer = NewerEdition.changing(AGENTS, HEADING, "# Theirs\n");

        Outcome outcome = folder.scaffold(newer).update();

        assertThat(outcome.paths(What.CONFLICT)).containsExactly(AGENTS);
        assertThat(outcome.next().get(0))
                .startsWith("settle what stands between")
                .endsWith(AGENTS);
        assertThat(folder.text(AGENTS)).startsWith("""
                <<<<<<< yours
                # Mine
                ||||||| scaffold %s
                # For whoever works on this project
                =======
                # Theirs
                >>>>>>> scaffold 9.0.0
                """.formatted(
                        io.busbar.scaffold.files.Edition.current().version()));
        nothingIsLeftToDo(newer);
    }

    @Test
    void does_not_merge_into_marks_that_nobody_has_settled() throws IOException {
        folder.write(AGENTS, folder.text(AGENTS).replace(HEADING, "# Mine\n"));
        folder.scaffold(NewerEdition.changing(AGENTS, HEADING, "# Theirs\n")).update();
        Map<String, String> before = folder.files();

        assertThatThrownBy(() -> folder.scaffold(NewerEdition.changing(AGENTS, HEADING, "# Again\n"))
                        .update())
                .hasMessage(
                        "AGENTS.md: 'a file with the marks of a conflict' is not allowed; allowed: one in which it is"
                                + " settled");
        assertThat(folder.files()).isEqualTo(before);
    }

    @Test
    void makes_anew_what_nobody_has_written_in_and_takes_away_what_is_made_no_more() throws IOException {
        folder.write("README.md", "mine\n");
        NewerEdition newer = new NewerEdition(
                "9.0.0",
                (path, text) -> switch (path) {
                    case AGENTS -> "theirs\n";
                    case ".github/workflows/ci.yml", "README.md" -> "";
                    default -> text;
                },
                List.of("NEW.md"));

        Outcome outcome = folder.scaffold(newer).update();

        assertThat(folder.text(AGENTS)).isEqualTo("theirs\n");
        assertThat(folder.text("NEW.md")).isEqualTo("of 9.0.0\n");
        assertThat(outcome.paths(What.DELETED)).containsExactly(".github/workflows/ci.yml");
        assertThat(outcome.paths(What.KEPT)).containsExactly("README.md");
        assertThat(folder.root().resolve(".github/workflows/ci.yml")).doesNotExist();
        assertThat(folder.text("README.md")).isEqualTo("mine\n");
        nothingIsLeftToDo(newer);
    }

    @Test
    void leaves_alone_what_people_have_deleted_and_what_they_had_before() throws IOException {
        Files.delete(folder.root().resolve(AGENTS));
        folder.write("NEW.md", "mine\n");
        NewerEdition newer =
                new NewerEdition("9.0.0", (path, text) -> path.equals(AGENTS) ? "theirs\n" : text, List.of("NEW.md"));

        Outcome outcome = folder.scaffold(newer).update();

        assertThat(folder.root().resolve(AGENTS)).doesNotExist();
        assertThat(outcome.paths(What.KEPT)).containsExactly("NEW.md");
        assertThat(folder.text("NEW.md")).isEqualTo("mine\n");
        nothingIsLeftToDo(newer);
    }

    @Test
    void goes_back_to_no_older_edition() throws IOException {
        NewerEdition newer = NewerEdition.changing(AGENTS, HEADING, HEADING + "\nTheirs.\n");
        folder.scaffold(newer).update();
        Map<String, String> before = folder.files();

        assertThatThrownBy(() -> folder.scaffold().update())
                .hasMessageStartingWith("PROJECT: cliVersion: '9.0.0' is not allowed; allowed: ");
        assertThat(folder.files()).isEqualTo(before);
    }

    @Test
    void follows_a_project_from_which_a_kind_was_taken_by_hand() throws IOException {
        String project = folder.text("PROJECT");
        folder.write("PROJECT", project.substring(0, project.indexOf("resources:")) + "version: \"3\"\n");
        String spec = "src/main/java/com/example/shop/crate/v1/CrateSpec.java";
        folder.write(spec, folder.text(spec) + "// mine\n");

        Outcome outcome = folder.scaffold().update();

        assertThat(outcome.paths(What.DELETED)).contains("src/main/java/com/example/shop/crate/v1/Crate.java");
        assertThat(outcome.paths(What.KEPT)).containsExactly(spec);
        assertThat(folder.text("src/main/java/com/example/shop/ShopBundle.java"))
                .doesNotContain("Crate");
    }

    private void nothingIsLeftToDo(NewerEdition edition) throws IOException {
        Map<String, String> before = folder.files();
        assertThat(folder.scaffold(edition).update().changes()).isEmpty();
        assertThat(folder.files()).isEqualTo(before);
    }
}
