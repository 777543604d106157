package io.busbar.scaffold.files;

import io.busbar.scaffold.project.Project;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/**
 * One edition of the scaffold: all that it makes of a project. Equal projects give equal files.
 *
 * <p>Immutable; any thread.
 */
public interface Edition {

    /** That of the library that what it makes is built on. */
    String version();

    /** All files but PROJECT and the record, each path once. */
    List<ScaffoldFile> files(Project project);

    /** The edition that this library brings. */
    static Edition current() {
        Properties properties = new Properties();
        try (InputStream resource = Edition.class.getResourceAsStream("/io/busbar/scaffold/edition.properties")) {
            if (resource == null) {
                throw new IllegalStateException("the jar lacks edition.properties");
            }
            properties.load(resource);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return new TemplateEdition(properties.getProperty("version"));
    }
}
