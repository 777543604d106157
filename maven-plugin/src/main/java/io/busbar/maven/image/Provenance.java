package io.busbar.maven.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What files have been built from, and by what, as <a href="https://slsa.dev/spec/v1.0/provenance">SLSA</a> has it in a
 * statement of in-toto. It is not signed. It tells no time, so that the same build has the same to say.
 *
 * <p>Immutable; blocks.
 *
 * @param builder a URI for who has built
 * @param plugin the package URL of what has built, with its version
 * @param project the package URL of what was built
 * @param order the image that is among the files
 * @param jdks those that the image's runtimes are made of, one for each architecture
 */
public record Provenance(String builder, String plugin, String project, ImageOrder order, List<Jdk> jdks) {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Digests that both a bill of materials and a statement can have: their names there and here. */
    private enum Digest {
        SHA256("SHA-256"),
        SHA512("SHA-512");

        private final String inBill;

        Digest(String inBill) {
            this.inBill = inBill;
        }
    }

    /**
     * Writes it.
     *
     * @param sources a folder of the sources; their commit is told where git knows it and has all of them in it
     * @param files what was built
     */
    public void write(Path sources, List<Path> files, Path statement) throws IOException, InterruptedException {
        ObjectNode root = JSON.createObjectNode().put("_type", "https://in-toto.io/Statement/v1");
        ArrayNode subjects = root.putArray("subject");
        for (Path file : files) {
            ObjectNode subject =
                    subjects.addObject().put("name", file.getFileName().toString());
            subject.putObject("digest").put("sha256", Sha256.of(file));
        }
        root.put("predicateType", "https://slsa.dev/provenance/v1");
        ObjectNode predicate = root.putObject("predicate");
        definition(predicate.putObject("buildDefinition"), sources);
        ObjectNode who = predicate.putObject("runDetails").putObject("builder").put("id", builder);
        who.putObject("version").put("plugin", plugin);
        Files.writeString(statement, JSON.writeValueAsString(root) + "\n");
    }

    private void definition(ObjectNode definition, Path sources) throws IOException, InterruptedException {
        definition.put("buildType", plugin.replaceFirst("@.*", "") + "#image");
        ObjectNode given = definition
                .putObject("externalParameters")
                .put("project", project)
                .put("image.name", order.name());
        ArrayNode platforms = given.putArray("platforms");
        jdks.forEach(jdk -> platforms.add("linux/" + jdk.architecture()));
        ArrayNode flags = given.putArray("image.args");
        order.flags().forEach(flags::add);
        definition.putObject("internalParameters").put("java.vm.version", System.getProperty("java.vm.version"));
        ArrayNode dependencies = definition.putArray("resolvedDependencies");
        commit(sources)
                .ifPresent(commit -> dependencies
                        .addObject()
                        .put("name", "sources")
                        .putObject("digest")
                        .put("gitCommit", commit));
        jdks.forEach(jdk -> dependency(dependencies.addObject(), jdk));
        if (order.materials().isPresent()) {
            for (JsonNode component :
                    JSON.readTree(order.materials().get().toFile()).path("components")) {
                dependency(dependencies, component);
            }
        }
    }

    private static void dependency(ObjectNode dependency, Jdk jdk) {
        dependency.put("name", "jdk-linux-" + jdk.architecture());
        dependency.putObject("digest").put("dirHash", jdk.digest());
        dependency.putObject("annotations").put("version", jdk.version()).put("architecture", jdk.architecture());
    }

    /** Those of the bill of materials that a package URL finds. */
    private static void dependency(ArrayNode dependencies, JsonNode component) {
        if (!component.has("purl")) {
            return;
        }
        ObjectNode dependency =
                dependencies.addObject().put("uri", component.get("purl").asText());
        ObjectNode digests = dependency.putObject("digest");
        for (JsonNode hash : component.path("hashes")) {
            for (Digest digest : Digest.values()) {
                if (digest.inBill.equals(hash.path("alg").asText())) {
                    digests.put(
                            digest.name().toLowerCase(Locale.ROOT),
                            hash.path("content").asText());
                }
            }
        }
    }

    /** None where files are not in it: what was built from them, nobody gets from that commit. */
    private static Optional<String> commit(Path sources) throws IOException, InterruptedException {
        Optional<String> changed = git(sources, "status", "--porcelain");
        return changed.isPresent() && changed.get().isEmpty() ? git(sources, "rev-parse", "HEAD") : Optional.empty();
    }

    /** What it says, if it is there and content. */
    private static Optional<String> git(Path folder, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder command = new ProcessBuilder("git");
        command.command().addAll(List.of(arguments));
        Process git;
        try {
            git = command.directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notInstalled) {
            return Optional.empty();
        }
        String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return git.waitFor() == 0 ? Optional.of(output.strip()) : Optional.empty();
    }
}
