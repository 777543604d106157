package io.busbar.scaffold;

import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.scaffold.Outcome.Change;
import io.busbar.scaffold.Outcome.What;
import io.busbar.scaffold.files.Edition;
import io.busbar.scaffold.files.FileChanges;
import io.busbar.scaffold.files.ScaffoldFile;
import io.busbar.scaffold.files.ScaffoldFile.Owner;
import io.busbar.scaffold.files.ScaffoldRecord;
import io.busbar.scaffold.files.ThreeWayMerge;
import io.busbar.scaffold.project.Project;
import io.busbar.scaffold.project.ProjectFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The folder of a project, and how it comes to be what a PROJECT says.
 *
 * <p>For one command; one thread. Either all that a command changes is on the disk at its end, or nothing is.
 */
final class Workspace {

    private final Path folder;
    private final Edition edition;
    private final FileChanges disk = new FileChanges();
    private final List<Change> changes = new ArrayList<>();
    private final List<ConfigurationProblem> problems = new ArrayList<>();

    Workspace(Path folder, Edition edition) {
        this.folder = folder;
        this.edition = edition;
    }

    /**
     * The project as it is.
     *
     * @param init what makes one, in words
     * @throws InvalidConfigurationException when there is none, or its PROJECT is wrong
     */
    Project project(String init) throws IOException {
        String text = read(ProjectFile.NAME)
                .orElseThrow(() -> new InvalidConfigurationException(List.of(new ConfigurationProblem(
                        ProjectFile.NAME, "none in " + folder, "a folder that has one; this makes it: " + init))));
        return ProjectFile.read(text);
    }

    boolean hasProject() {
        return Files.exists(folder.resolve(ProjectFile.NAME), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Makes what a project has more than it had, and anew what is the scaffold's. What people have written stays as it
     * is.
     *
     * @param force files that are written whatever they hold
     * @throws InvalidConfigurationException when files stand in the way
     */
    Outcome grow(Project project, Set<String> force) throws IOException {
        ScaffoldRecord record = record();
        for (ScaffoldFile file : edition.files(project)) {
            record = grow(file, record, force.contains(file.path()));
        }
        return finish(project, record);
    }

    private ScaffoldRecord grow(ScaffoldFile file, ScaffoldRecord record, boolean force) throws IOException {
        Optional<String> mine = read(file.path());
        Optional<String> made = record.made(file.path());
        boolean same = mine.equals(Optional.of(file.text()));
        boolean isNew = !record.knows(file.path());
        if (force || (isNew && mine.isEmpty()) || (file.owner() == Owner.SCAFFOLD && !isNew)) {
            return same ? record.with(file) : write(file, mine.isEmpty() ? What.MADE : What.REMADE, record);
        }
        if (isNew && !same) {
            problems.add(new ConfigurationProblem(
                    file.path(),
                    "a file that is there",
                    "none, or one of which the scaffold knows that it has made it"));
            return record;
        }
        if (isNew || made.equals(Optional.of(file.text())) || mine.isEmpty()) {
            return isNew ? record.with(file) : record;
        }
        if (mine.equals(made)) {
            return write(file, What.REMADE, record);
        }
        changes.add(new Change(What.KEPT, file.path()));
        return record;
    }

    /**
     * Brings a project to this edition: what it makes otherwise than what was made last is merged into what people have
     * made of that.
     *
     * @throws InvalidConfigurationException when a file that is to be merged still has the marks of the last conflict
     */
    Outcome update(Project project) throws IOException {
        if (Files.notExists(folder.resolve(ScaffoldRecord.NAME))) {
            throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                    ScaffoldRecord.NAME, "none", "the file that the scaffold has written; version control has it")));
        }
        ScaffoldRecord record = record();
        List<ScaffoldFile> files = edition.files(project);
        for (ScaffoldFile file : files) {
            record = update(project, file, record);
        }
        Set<String> now = files.stream().map(ScaffoldFile::path).collect(Collectors.toSet());
        Set<String> gone = new TreeSet<>(record.madePaths());
        gone.addAll(record.generatedPaths());
        gone.removeAll(now);
        for (String path : gone) {
            record = leave(path, record);
        }
        return finish(project.with(edition.version()), record);
    }

    private ScaffoldRecord update(Project project, ScaffoldFile file, ScaffoldRecord record) throws IOException {
        Optional<String> mine = read(file.path());
        Optional<String> made = record.made(file.path());
        if (mine.equals(Optional.of(file.text())) || made.equals(Optional.of(file.text()))) {
            return record.with(file);
        }
        if (file.owner() == Owner.SCAFFOLD
                && (mine.isEmpty() || record.generatedPaths().contains(file.path()))) {
            return write(file, mine.isEmpty() ? What.MADE : What.REMADE, record);
        }
        if (mine.isEmpty()) {
            // People have deleted what the scaffold had made.
            return made.isPresent() ? record.with(file) : write(file, What.MADE, record);
        }
        if (mine.equals(made)) {
            return write(file, What.REMADE, record);
        }
        if (made.isEmpty()) {
            changes.add(new Change(What.KEPT, file.path()));
            return record.with(file);
        }
        return merge(project, file, made.get(), mine.get(), record);
    }

    private ScaffoldRecord merge(Project project, ScaffoldFile file, String made, String mine, ScaffoldRecord record) {
        if (ThreeWayMerge.hasMarks(mine)) {
            problems.add(new ConfigurationProblem(
                    file.path(), "a file with the marks of a conflict", "one in which it is settled"));
            return record;
        }
        ThreeWayMerge merge = ThreeWayMerge.of(made, mine, file.text());
        String text = merge.text("yours", "scaffold " + project.cliVersion(), "scaffold " + edition.version());
        if (!text.equals(mine)) {
            disk.write(file.path(), text);
            changes.add(new Change(merge.conflicts() > 0 ? What.CONFLICT : What.MERGED, file.path()));
        }
        return record.with(file);
    }

    /** Of a file that the scaffold makes no more. */
    private ScaffoldRecord leave(String path, ScaffoldRecord record) throws IOException {
        Optional<String> mine = read(path);
        if (mine.isPresent() && (record.generatedPaths().contains(path) || mine.equals(record.made(path)))) {
            disk.delete(path);
            changes.add(new Change(What.DELETED, path));
        } else if (mine.isPresent()) {
            changes.add(new Change(What.KEPT, path));
        }
        return record.without(path);
    }

    private ScaffoldRecord write(ScaffoldFile file, What what, ScaffoldRecord record) {
        disk.write(file.path(), file.text());
        changes.add(new Change(what, file.path()));
        return record.with(file);
    }

    private Outcome finish(Project project, ScaffoldRecord record) throws IOException {
        if (problems.isEmpty()) {
            own(ProjectFile.NAME, ProjectFile.write(project));
            own(ScaffoldRecord.NAME, record.text());
        }
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
        disk.applyTo(folder);
        changes.sort(Comparator.comparing(Change::path));
        return new Outcome(changes, List.of());
    }

    private void own(String path, String text) throws IOException {
        Optional<String> mine = read(path);
        if (!mine.equals(Optional.of(text))) {
            disk.write(path, text);
            changes.add(new Change(mine.isEmpty() ? What.MADE : What.REMADE, path));
        }
    }

    private ScaffoldRecord record() throws IOException {
        return read(ScaffoldRecord.NAME).map(ScaffoldRecord::read).orElse(ScaffoldRecord.empty());
    }

    /**
     * What a file holds; empty where there is none. A folder in its place, or a file among its folders, is a problem.
     */
    private Optional<String> read(String path) throws IOException {
        Path file = folder.resolve(path);
        for (Path above = file.getParent(); above != null && above.startsWith(folder); above = above.getParent()) {
            if (Files.exists(above) && !Files.isDirectory(above)) {
                stands(above, "a file", "a folder");
                return Optional.empty();
            }
        }
        if (Files.isDirectory(file)) {
            stands(file, "a folder", "a file, or nothing");
            return Optional.empty();
        }
        try {
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    ? Optional.of(Files.readString(file))
                    : Optional.empty();
        } catch (CharacterCodingException binary) {
            stands(file, "a file that is not UTF-8", "text");
            return Optional.empty();
        }
    }

    private void stands(Path file, String what, String allowed) {
        ConfigurationProblem problem = new ConfigurationProblem(file.toString(), what, allowed);
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }
}
