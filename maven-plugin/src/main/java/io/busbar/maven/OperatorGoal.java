package io.busbar.maven;

import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.scaffold.project.Project;
import io.busbar.scaffold.project.ProjectFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** What the goals share that run the project's program, in a process of its own. */
abstract class OperatorGoal extends AbstractMojo {

    /** The folder of what is installed in a cluster, as the program writes it, within that of the build. */
    private static final String MANIFESTS = "busbar/manifests";

    @Parameter(defaultValue = "${basedir}", readonly = true, required = true)
    private File basedir = new File("");

    @Parameter(defaultValue = "${project.build.directory}", readonly = true, required = true)
    private File buildDirectory = new File("");

    @Parameter(defaultValue = "${project.runtimeClasspathElements}", readonly = true, required = true)
    private List<String> classPath = List.of();

    /** The class of the program; if not given, the one that the scaffold makes. */
    @Parameter(property = "busbar.mainClass")
    private @Nullable String mainClass;

    /** Options of the Java that it runs on, with blanks between them. */
    @Parameter(property = "busbar.jvmArgs", defaultValue = "")
    private @Nullable String jvmArgs;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        try {
            run();
        } catch (InvalidConfigurationException wrong) {
            throw new MojoFailureException("\n" + wrong.getMessage());
        } catch (IOException failed) {
            throw new MojoExecutionException(failed.toString(), failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("interrupted", stopped);
        }
    }

    abstract void run() throws MojoFailureException, IOException, InterruptedException;

    final Path folder() {
        return basedir.toPath();
    }

    /** What PROJECT says. */
    final Project declared() throws IOException, MojoFailureException {
        Path file = folder().resolve(ProjectFile.NAME);
        if (Files.notExists(file)) {
            throw new MojoFailureException("no " + ProjectFile.NAME + " in " + folder()
                    + "; allowed: the folder of a project that busbar:init has made");
        }
        return ProjectFile.read(Files.readString(file));
    }

    /**
     * Runs the program to its end.
     *
     * @throws MojoFailureException when it does not end with 0
     */
    final void program(List<String> arguments) throws MojoFailureException, IOException, InterruptedException {
        String main = mainClass != null ? mainClass : mainClassOf(declared());
        int code = new OperatorProcess(words(jvmArgs), classPath, main, arguments, basedir).run();
        if (code != 0) {
            throw new MojoFailureException(main + " " + String.join(" ", arguments) + " has ended with " + code);
        }
    }

    /**
     * Has the program write all that is installed in a cluster, and says where that is.
     *
     * @param flags of its command, beside that which says where
     */
    final Path manifests(String... flags) throws MojoFailureException, IOException, InterruptedException {
        Path output = buildDirectory.toPath().resolve(MANIFESTS);
        FileTree.delete(output);
        List<String> arguments = new ArrayList<>(List.of("manifests", "--output=" + output));
        arguments.addAll(List.of(flags));
        program(arguments);
        return output;
    }

    private static String mainClassOf(Project declared) {
        return declared.repo() + "." + declared.className() + "Operator";
    }

    /** Of a text with blanks between them. */
    static List<String> words(@Nullable String text) {
        List<String> words = new ArrayList<>();
        if (text != null && !text.isBlank()) {
            words.addAll(List.of(text.strip().split("\\s+")));
        }
        return words;
    }
}
