package io.busbar.maven.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvenanceTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BILL = """
            {"components": [
              {"purl": "pkg:maven/org.example/pins@1?type=jar", "hashes": [
                {"alg": "MD5", "content": "01"},
                {"alg": "SHA-256", "content": "02"}, {"alg": "SHA-512", "content": "03"}]},
              {"name": "without a package URL"}]}
            """;

    @TempDir
    private Path folder;

    private Path sources;
    private Path jar;
    private Path image;

    @BeforeEach
    void build() throws Exception {
        sources = Files.createDirectories(folder.resolve("sources"));
        jar = Files.writeString(folder.resolve("shop.jar"), "a jar");
        image = Files.writeString(folder.resolve("shop-image.tar"), "an image");
    }

    @Test
    void is_a_statement_on_the_digests_of_the_files() throws Exception {
        JsonNode statement = write();

        assertThat(statement.get("_type").asText()).isEqualTo("https://in-toto.io/Statement/v1");
        assertThat(statement.get("predicateType").asText()).isEqualTo("https://slsa.dev/provenance/v1");
        assertThat(statement.get("subject")).isEqualTo(JSON.readTree("""
                        [{"name": "shop.jar", "digest":
                            {"sha256": "%s"}},
                         {"name": "shop-image.tar", "digest":
                            {"sha256": "%s"}}]
                        """.formatted(sha256sum(jar), sha256sum(image))));
    }

    private static String sha256sum(Path file) throws Exception {
        Process sum = new ProcessBuilder("sha256sum", file.toString()).start();
        return new String(sum.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replaceFirst(" .*\\s*", "");
    }

    @Test
    void has_what_slsa_requires() throws Exception {
        JsonNode predicate = write().get("predicate");

        assertThat(predicate.at("/buildDefinition/buildType").asText())
                .isEqualTo("pkg:maven/io.busbar/busbar-maven-plugin#image");
        assertThat(predicate.at("/buildDefinition/externalParameters")).isEqualTo(JSON.readTree("""
                                {"project": "pkg:maven/com.example/shop@1", "image.name": "shop:1",
                                 "platforms": ["linux/amd64", "linux/arm64"], "image.args": ["--verbose"]}
                                """));
        assertThat(predicate.at("/runDetails/builder/id").asText()).isEqualTo("https://ci.example.com/shop");
    }

    @Test
    void takes_dependencies_from_the_bill_of_materials() throws Exception {
        assertThat(dependencies()).contains(JSON.readTree("""
                                {"uri": "pkg:maven/org.example/pins@1?type=jar",
                                 "digest": {"sha256": "02", "sha512": "03"}}
                                """));
    }

    @Test
    void names_the_jdk_of_each_platform_by_its_digest() throws Exception {
        assertThat(dependencies()).contains(JSON.readTree("""
                                {"name": "jdk-linux-amd64", "digest": {"dirHash": "04"},
                                 "annotations": {"version": "17.0.15", "architecture": "amd64"}}
                                """), JSON.readTree("""
                                {"name": "jdk-linux-arm64", "digest": {"dirHash": "05"},
                                 "annotations": {"version": "17.0.16", "architecture": "arm64"}}
                                """));
    }

    @Test
    void tells_the_commit_unless_the_sources_have_something_else() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/git")), "no git");
        Files.writeString(sources.resolve("Shop.java"), "class Shop {}");
        git("init", "-q");
        git("add", ".");
        git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "Open the shop");

        assertThat(dependencies().at("/0/digest/gitCommit").asText()).isEqualTo(git("rev-parse", "HEAD"));

        Files.writeString(sources.resolve("Till.java"), "class Till {}");

        assertThat(dependencies().findValue("gitCommit")).isNull();
    }

    @Test
    void says_the_same_of_the_same() throws Exception {
        assertThat(write()).isEqualTo(write());
    }

    private JsonNode dependencies() throws Exception {
        return write().at("/predicate/buildDefinition/resolvedDependencies");
    }

    private JsonNode write() throws Exception {
        Path bill = Files.writeString(folder.resolve("bom.json"), BILL);
        Path statement = folder.resolve("provenance.json");
        ImageOrder order = new ImageOrder(
                "shop:1", Program.OPERATOR, List.of("--verbose"), Optional.empty(), Optional.of(bill), List.of());
        new Provenance(
                        "https://ci.example.com/shop",
                        "pkg:maven/io.busbar/busbar-maven-plugin@1",
                        "pkg:maven/com.example/shop@1",
                        order,
                        List.of(new Jdk("amd64", "17.0.15", "04"), new Jdk("arm64", "17.0.16", "05")))
                .write(sources, List.of(jar, image), statement);
        return JSON.readTree(statement.toFile());
    }

    private String git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process git = new ProcessBuilder(command).directory(sources.toFile()).start();
        String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(git.waitFor()).isZero();
        return output;
    }
}
