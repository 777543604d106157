package io.busbar.scaffold;

import io.busbar.scaffold.files.Edition;
import io.busbar.scaffold.files.ScaffoldFile;
import io.busbar.scaffold.files.ScaffoldFile.Owner;
import io.busbar.scaffold.project.Project;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A later edition, which makes some of its files otherwise.
 *
 * <p>Immutable, if what it changes texts with is.
 *
 * @param changed what becomes of a file's text by its path and text as they are now; empty for a file that is made no
 *     more
 * @param more files that are people's
 */
record NewerEdition(String version, BiFunction<String, String, String> changed, List<String> more) implements Edition {

    static NewerEdition changing(String path, String from, String to) {
        return new NewerEdition("9.0.0", (file, text) -> file.equals(path) ? text.replace(from, to) : text, List.of());
    }

    @Override
    public List<ScaffoldFile> files(Project project) {
        List<ScaffoldFile> files = new ArrayList<>();
        for (ScaffoldFile file : Edition.current().files(project)) {
            String text = changed.apply(file.path(), file.text());
            if (!text.isEmpty()) {
                files.add(new ScaffoldFile(file.path(), text, file.owner()));
            }
        }
        more.forEach(path -> files.add(new ScaffoldFile(path, "of " + version + "\n", Owner.PEOPLE)));
        return files;
    }
}
