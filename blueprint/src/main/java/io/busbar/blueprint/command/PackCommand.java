package io.busbar.blueprint.command;

import io.busbar.blueprint.packed.PackedImage;
import io.busbar.blueprint.packed.PackedJar;
import io.busbar.blueprint.packed.PackedOperator;
import io.busbar.blueprint.read.BlueprintReader.Text;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.manifests.About;
import io.busbar.manifests.OperatorDeclaration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code blueprint pack}. */
@Command(
        name = "pack",
        sortOptions = false,
        description =
                "Writes a jar that runs Blueprints as an operator of their own, with all commands that an operator"
                        + " has. They are checked first, as check does.")
final class PackCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "YAML with one or more Blueprints.")
    private List<Path> paths = List.of();

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description = "What the operator is called and installed as, such as shop.")
    private String name = "";

    @Option(
            names = "--version",
            paramLabel = "VERSION",
            defaultValue = "0.1.0",
            description = "Of the operator. Default: ${DEFAULT-VALUE}.")
    private String version = "";

    @Option(
            names = "--previous",
            paramLabel = "FILE",
            description =
                    "The jar of the version that runs now: instances move from what its Blueprints make as rollout says,"
                            + " and stay with that where the new one fails.")
    private @Nullable Path previous;

    @Option(names = "--output", paramLabel = "FILE", description = "The jar. Default: NAME.jar.")
    private @Nullable Path output;

    @Option(
            names = "--image",
            paramLabel = "FILE",
            description =
                    "An OCI archive with the image of this Busbar, as the profile image writes it: an image of the"
                            + " operator is written as well.")
    private @Nullable Path image;

    @Option(
            names = "--image-name",
            paramLabel = "NAME:TAG",
            description = "The name of that image, such as registry.example.com/shop:1.0. Default: NAME:VERSION.")
    private @Nullable String imageName;

    @Option(names = "--image-output", paramLabel = "FILE", description = "Its OCI archive. Default: NAME-image.tar.")
    private @Nullable Path imageOutput;

    /** Here, as picocli's own brings --version along. */
    @SuppressWarnings("UnusedVariable") // what is parsed is enough
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this.")
    private boolean help;

    @Mixin
    private BlueprintFiles files;

    @Override
    public Integer call() throws IOException {
        Path jar = output == null ? Path.of(name + ".jar") : output;
        Path tar = imageOutput == null ? Path.of(name + "-image.tar") : imageOutput;
        checkFlags(jar, tar);
        List<Text> texts = files.texts(paths);
        files.checkForOneOperator(texts);
        if (files.hasFailed()) {
            return ExitCode.SOFTWARE;
        }
        List<Text> kinds = files.kinds().entrySet().stream()
                .map(kind -> new Text(kind.getKey(), kind.getValue()))
                .toList();
        Path toolkit = PackedJar.ownJar()
                .orElseThrow(
                        () -> new IllegalStateException(
                                "this does not run from one jar with the whole toolkit in it, of which the other is to be made"));
        List<List<Text>> earlier =
                previous == null ? List.of() : PackedOperator.of(previous).untilNow();
        PackedOperator operator = new PackedOperator(name, version, texts, kinds, earlier);
        operator.revisions(lost -> files.note("--previous: " + lost));
        PackedJar.write(toolkit, operator, jar);
        files.out().println(jar);
        if (image != null) {
            writeImage(image, operator, tar);
            files.out().println(tar);
        }
        return ExitCode.OK;
    }

    private void writeImage(Path toolkit, PackedOperator operator, Path tar) {
        try {
            PackedImage.write(toolkit, operator, imageName == null ? name + ":" + version : imageName, tar);
        } catch (IOException failed) {
            throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                    "--image", toolkit.toString(), "an image of Busbar (" + failed.getMessage() + ")")));
        }
    }

    private void checkFlags(Path jar, Path tar) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        if (!OperatorDeclaration.isName(name)) {
            problems.add(new ConfigurationProblem("--name", name, OperatorDeclaration.ALLOWED_NAMES));
        }
        if (!About.isVersion(version)) {
            problems.add(new ConfigurationProblem("--version", version, About.ALLOWED_VERSIONS));
        }
        if (previous != null && !PackedJar.isPacked(previous)) {
            problems.add(new ConfigurationProblem(
                    "--previous", previous.toString(), "a jar that blueprint pack has written"));
        }
        checkOutput("--output", jar, PackedJar::isPacked, "a jar that blueprint pack has written", problems);
        if (image != null) {
            if (!PackedImage.isImage(image)) {
                problems.add(new ConfigurationProblem(
                        "--image", image.toString(), "an OCI archive, as the profile image writes it"));
            }
            if (imageName != null && !OperatorDeclaration.isImage(imageName)) {
                problems.add(new ConfigurationProblem("--image-name", imageName, "NAME:TAG"));
            }
            checkOutput("--image-output", tar, PackedImage::isImage, "an OCI archive", problems);
        } else {
            checkAlone("--image-name", imageName, problems);
            checkAlone("--image-output", imageOutput, problems);
        }
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
    }

    private static void checkAlone(String flag, @Nullable Object value, List<ConfigurationProblem> problems) {
        if (value != null) {
            problems.add(new ConfigurationProblem(flag, value.toString(), "no value without --image"));
        }
    }

    private static void checkOutput(
            String flag, Path file, Predicate<Path> own, String like, List<ConfigurationProblem> problems) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            problems.add(new ConfigurationProblem(flag, file.toString(), "a file in a folder that is there"));
        } else if (Files.exists(file) && !own.test(file)) {
            problems.add(new ConfigurationProblem(flag, file.toString(), "a new file, or " + like));
        }
    }
}
