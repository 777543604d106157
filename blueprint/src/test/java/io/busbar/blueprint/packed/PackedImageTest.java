package io.busbar.blueprint.packed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.hash.Hashing;
import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.read.BlueprintReader.Text;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackedImageTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PackedOperator SHOP = new PackedOperator(
            "shop",
            "1.2.0",
            List.of(new Text("shared-config.yaml", Blueprints.file("shared-config.yaml"))),
            List.of(),
            List.of());

    @TempDir
    private Path folder;

    private final Map<String, byte[]> base = new TreeMap<>();
    private Path toolkit;
    private Path image;

    /** As the profile image writes it for two platforms, of which the first has an archive of classes. */
    @BeforeEach
    void make() throws IOException {
        toolkit = folder.resolve("busbar-image.tar");
        image = folder.resolve("shop-image.tar");
        ObjectNode index = JSON.createObjectNode().put("schemaVersion", 2);
        index.withArray("/manifests")
                .add(platform(
                        "amd64",
                        "[\"/opt/java/bin/java\",\"-XX:SharedArchiveFile=busbar.jsa\",\"-jar\",\"busbar.jar\"]"))
                .add(platform("arm64", "[\"/opt/java/bin/java\",\"-jar\",\"busbar.jar\"]"));
        ObjectNode top = JSON.createObjectNode().put("schemaVersion", 2);
        top.withArray("/manifests").add(added(index));
        base.put("index.json", JSON.writeValueAsBytes(top));
        base.put("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}".getBytes(StandardCharsets.UTF_8));
        writeToolkit();
    }

    private ObjectNode platform(String architecture, String entrypoint) throws IOException {
        ObjectNode config = JSON.createObjectNode().put("architecture", architecture);
        config.withObject("/config").set("Entrypoint", JSON.readTree(entrypoint));
        config.withObject("/config").withArray("/Cmd").add("run");
        config.withArray("/rootfs/diff_ids").add("sha256:of the layer");
        ObjectNode manifest = JSON.createObjectNode().put("schemaVersion", 2);
        manifest.set("config", added(config));
        manifest.withArray("/layers").add(added(JSON.createObjectNode().put("the system of", architecture)));
        ObjectNode descriptor = added(manifest);
        descriptor.withObject("/platform").put("architecture", architecture);
        return descriptor;
    }

    private ObjectNode added(ObjectNode blob) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(blob);
        String digest = Hashing.sha256().hashBytes(bytes).toString();
        base.put("blobs/sha256/" + digest, bytes);
        return JSON.createObjectNode().put("digest", "sha256:" + digest).put("size", bytes.length);
    }

    private void writeToolkit() throws IOException {
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(Files.newOutputStream(toolkit))) {
            for (Map.Entry<String, byte[]> file : base.entrySet()) {
                TarArchiveEntry entry = new TarArchiveEntry(file.getKey());
                entry.setSize(file.getValue().length);
                tar.putArchiveEntry(entry);
                tar.write(file.getValue());
                tar.closeArchiveEntry();
            }
        }
    }

    private static Map<String, byte[]> files(byte[] tar) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (TarArchiveInputStream entries = new TarArchiveInputStream(new ByteArrayInputStream(tar))) {
            for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                files.put(entry.getName(), entries.readAllBytes());
            }
        }
        return files;
    }

    /** What a descriptor describes, to the byte. */
    private static byte[] blob(Map<String, byte[]> files, JsonNode descriptor) {
        byte[] blob = files.get(descriptor.path("digest").asText().replace("sha256:", "blobs/sha256/"));
        assertThat(blob).hasSize(descriptor.path("size").asInt());
        assertThat("sha256:" + Hashing.sha256().hashBytes(blob))
                .isEqualTo(descriptor.path("digest").asText());
        return blob;
    }

    @Test
    void has_one_more_layer_for_each_platform_and_runs_what_is_in_it() throws IOException {
        PackedImage.write(toolkit, SHOP, "registry.example.com/shop:1.2.0", image);

        assertThat(PackedImage.isImage(image)).isTrue();
        Map<String, byte[]> files = files(Files.readAllBytes(image));
        JsonNode top = JSON.readTree(files.get("index.json")).at("/manifests/0");
        assertThat(top.at("/annotations/org.opencontainers.image.ref.name").asText())
                .isEqualTo("registry.example.com/shop:1.2.0");
        JsonNode platforms = JSON.readTree(blob(files, top)).path("manifests");
        assertThat(platforms).hasSize(2);
        for (JsonNode platform : platforms) {
            JsonNode manifest = JSON.readTree(blob(files, platform));
            JsonNode config = JSON.readTree(blob(files, manifest.path("config")));
            String architecture = platform.at("/platform/architecture").asText();
            assertThat(config.path("architecture").asText()).isEqualTo(architecture);
            assertThat(config.at("/config/Entrypoint"))
                    .hasToString("[\"/opt/java/bin/java\","
                            + (architecture.equals("amd64") ? "\"-XX:SharedArchiveFile=busbar.jsa\"," : "")
                            + "\"-cp\",\"busbar.jar:shop.jar\",\"io.busbar.blueprint.packed.Main\"]");
            assertThat(config.at("/config/Cmd")).hasToString("[\"run\"]");
            assertThat(manifest.path("layers")).hasSize(2);
            assertThat(JSON.readTree(blob(files, manifest.at("/layers/0")))
                            .path("the system of")
                            .asText())
                    .isEqualTo(architecture);
            assertThat(config.at("/rootfs/diff_ids/1")).isEqualTo(manifest.at("/layers/1/digest"));

            Map<String, byte[]> layer = files(blob(files, manifest.at("/layers/1")));
            assertThat(layer).containsOnlyKeys("app/shop.jar");
            Path jar = Files.write(folder.resolve("shop.jar"), layer.get("app/shop.jar"));
            try (URLClassLoader loader =
                    new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
                assertThat(PackedOperator.of(loader).blueprints())
                        .extracting(Text::yaml)
                        .containsExactly(Blueprints.file("shared-config.yaml"));
            }
        }
        assertThat(files).as("two layers, theirs, and what names them").hasSize(2 + 1 + 2 * 2 + 1 + 2);
    }

    @Test
    void is_the_same_to_the_byte_each_time() throws IOException {
        PackedImage.write(toolkit, SHOP, "shop:1", image);
        byte[] first = Files.readAllBytes(image);
        PackedImage.write(toolkit, SHOP, "shop:1", image);

        assertThat(image).hasBinaryContent(first);
    }

    @Test
    void is_not_made_of_what_runs_no_jar() throws IOException {
        ObjectNode top = JSON.createObjectNode();
        top.withArray("/manifests").add(platform("amd64", "[\"/bin/sh\"]"));
        base.put("index.json", JSON.writeValueAsBytes(top));
        writeToolkit();

        assertThatThrownBy(() -> PackedImage.write(toolkit, SHOP, "shop:1", image))
                .hasMessage("it starts with [\"/bin/sh\"]; allowed: an image that runs a jar, with -jar");
        assertThat(image).doesNotExist();
        assertThat(PackedImage.isImage(Files.writeString(folder.resolve("text"), "none")))
                .isFalse();
    }
}
