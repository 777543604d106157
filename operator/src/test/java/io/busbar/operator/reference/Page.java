package io.busbar.operator.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page of {@code docs/reference}. Immutable. */
record Page(String name, String text) {

    /** Tests run in their module's folder. */
    private static final Path FOLDER = Path.of("..", "docs", "reference");

    private static final String COMMAND = "mvn -pl operator -am -Dtest='ReferenceTest,MetricsReferenceTest'"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dbusbar.docs.write test";

    /** What stands above the text of each page. */
    static final String NOTE = "<!-- Made from the code. To make it anew: " + COMMAND + " -->\n\n";

    static Path path(String name) {
        return FOLDER.resolve(name);
    }

    /**
     * Compares the page with what is checked in; writes it instead where the property {@code busbar.docs.write} is set.
     */
    void check() throws IOException {
        Path file = path(name);
        String wanted = NOTE + text;
        if (System.getProperty("busbar.docs.write") != null) {
            Files.createDirectories(FOLDER);
            Files.writeString(file, wanted);
        }
        assertThat(Files.exists(file) ? Files.readString(file) : "")
                .as("docs/reference/%s is not what the code says now; make it anew: %s", name, COMMAND)
                .isEqualTo(wanted);
    }

    /** A cell of a table. */
    static String cell(String text) {
        return text.replace("|", "\\|").replaceAll("\\s+", " ").strip();
    }
}
