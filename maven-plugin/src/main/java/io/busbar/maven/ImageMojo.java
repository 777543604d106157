package io.busbar.maven;

import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import io.busbar.maven.image.ImageOrder;
import io.busbar.maven.image.Jdk;
import io.busbar.maven.image.Program;
import io.busbar.maven.image.ProgramImage;
import io.busbar.maven.image.Provenance;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * Writes an OCI image of the operator, or of another program of Busbar's, to a tar file: a Java runtime with what the
 * program needs of it, the program, and an archive of its classes with which it starts sooner. No base image is pulled,
 * and no Docker is asked.
 */
@Mojo(name = "image", defaultPhase = LifecyclePhase.PACKAGE, threadSafe = true)
public final class ImageMojo extends AbstractMojo {

    /** The program in one jar, with all that it needs, as the profile image has it made. */
    @Parameter(defaultValue = "${project.build.directory}/${project.artifactId}.jar", required = true)
    private File jar = new File("");

    /** The file to write. */
    @Parameter(defaultValue = "${project.build.directory}/${project.artifactId}-image.tar", required = true)
    private File image = new File("");

    /** As people pull it, with a tag, such as registry.example.com/shop:1.0. */
    @Parameter(property = "image.name", defaultValue = "${project.artifactId}:latest", required = true)
    private String name = "";

    /**
     * The list of classes, {@code /app/classes.txt}, of an image that is to be built again; if not given, a run of the
     * program tells.
     */
    @Parameter(property = "image.classes")
    private @Nullable File classes;

    /** A bill of materials to be kept in the image; if not given, there is none. */
    @Parameter
    private @Nullable File materials;

    /** What the jar is: OPERATOR or SANDBOX. */
    @Parameter(defaultValue = "OPERATOR", required = true)
    private Program program = Program.OPERATOR;

    /** Flags of the program, with blanks between them, for the run that tells which classes it needs. */
    @Parameter(property = "image.args")
    private @Nullable String args;

    /**
     * Folders for other platforms, with commas between them: each has what a Linux with glibc of another architecture
     * has in its root folder, a JDK of the release that builds in {@code usr/lib/jvm} and the system libraries that
     * this needs. The image is for them as well then; there, without an archive of classes.
     */
    @Parameter(property = "image.roots")
    private List<File> roots = List.of();

    /** A file for the provenance of jar and image, as SLSA has it, not signed; if not given, it is not written. */
    @Parameter
    private @Nullable File provenance;

    /** Who builds, a URI, such as that of a CI's workflow: for the provenance. */
    @Parameter(
            property = "image.builder",
            defaultValue = "pkg:maven/${plugin.groupId}/${plugin.artifactId}@${plugin.version}",
            required = true)
    private String builder = "";

    @Parameter(
            defaultValue = "pkg:maven/${plugin.groupId}/${plugin.artifactId}@${plugin.version}",
            readonly = true,
            required = true)
    private String plugin = "";

    @Parameter(
            defaultValue = "pkg:maven/${project.groupId}/${project.artifactId}@${project.version}",
            readonly = true,
            required = true)
    private String project = "";

    @Parameter(defaultValue = "${project.basedir}", readonly = true, required = true)
    private File sources = new File("");

    @Parameter(defaultValue = "${project.build.directory}/image", readonly = true, required = true)
    private File work = new File("");

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        there(jar, "the program in one jar, as the maven-shade-plugin makes it in the profile image");
        Optional<Path> list = given(classes, "a list of classes that an image has as /app/classes.txt");
        Optional<Path> bill =
                given(materials, "a bill of materials; CycloneDX writes one only when Maven is not offline");
        try {
            ImageOrder order = new ImageOrder(
                    name,
                    program,
                    OperatorGoal.words(args),
                    list,
                    bill,
                    roots.stream().map(File::toPath).toList());
            Path absolute = work.toPath().toAbsolutePath();
            List<Jdk> jdks = new ProgramImage(jar.toPath(), absolute).write(order, image.toPath());
            getLog().info(image + ": " + name + " for " + platforms(jdks) + ", "
                    + Files.size(image.toPath()) / 1_000_000 + " MB");
            if (provenance != null) {
                new Provenance(builder, plugin, project, order, jdks)
                        .write(sources.toPath(), List.of(jar.toPath(), image.toPath()), provenance.toPath());
            }
        } catch (InvalidImageReferenceException wrong) {
            throw new MojoFailureException(
                    "-Dimage.name: " + name + "; allowed: [HOST/]NAME:TAG in lower case, such as shop:1.0");
        } catch (IllegalStateException lacking) {
            throw new MojoFailureException(lacking.getMessage(), lacking);
        } catch (IOException failed) {
            throw new MojoExecutionException(failed.toString(), failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("interrupted", stopped);
        }
    }

    private static String platforms(List<Jdk> jdks) {
        return jdks.stream().map(jdk -> "linux/" + jdk.architecture()).collect(Collectors.joining(", "));
    }

    private static Optional<Path> given(@Nullable File file, String allowed) throws MojoFailureException {
        if (file == null) {
            return Optional.empty();
        }
        there(file, allowed);
        return Optional.of(file.toPath());
    }

    private static void there(File file, String allowed) throws MojoFailureException {
        if (!file.isFile()) {
            throw new MojoFailureException("no file " + file + "; allowed: " + allowed);
        }
    }
}
