package io.busbar.maven.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageIndexTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void leads_from_one_name_to_the_configuration_of_each_platform() throws Exception {
        Map<String, byte[]> files = entries(write());

        JsonNode top = JSON.readTree(files.get("index.json"));
        assertThat(top.at("/manifests/0/annotations/org.opencontainers.image.ref.name")
                        .asText())
                .isEqualTo("shop:1");
        JsonNode index = blob(files, top.at("/manifests/0"));
        assertThat(index.get("manifests")).hasSize(2);
        for (JsonNode manifest : index.get("manifests")) {
            JsonNode config = blob(files, blob(files, manifest).get("config"));
            assertThat(config.get("architecture")).isEqualTo(manifest.at("/platform/architecture"));
            assertThat(config.get("os")).isEqualTo(manifest.at("/platform/os"));
        }
        assertThat(index.get("manifests").findValuesAsText("architecture")).containsExactly("amd64", "arm64");
    }

    @Test
    void every_blob_has_the_name_of_its_digest_and_is_there_once() throws Exception {
        Map<String, byte[]> files = entries(write());

        files.remove("index.json");
        files.remove("oci-layout");
        assertThat(files)
                .hasSizeGreaterThan(5)
                .allSatisfy((name, content) -> assertThat(name).isEqualTo("blobs/sha256/" + Sha256.of(content)));
    }

    private Path write() throws Exception {
        Map<String, Path> images = new TreeMap<>();
        Path file = Files.writeString(folder.resolve("file"), "the same for both");
        for (String architecture : List.of("amd64", "arm64")) {
            Path image = folder.resolve(architecture + ".tar");
            Path own = Files.writeString(folder.resolve(architecture), architecture);
            Jib.fromScratch()
                    .setFormat(ImageFormat.OCI)
                    .setPlatforms(Set.of(new Platform(architecture, "linux")))
                    .addLayer(List.of(file), "/app")
                    .addLayer(List.of(own), "/app")
                    .containerize(Containerizer.to(TarImage.at(image).named("shop:1"))
                            .setOfflineMode(true)
                            .setApplicationLayersCache(folder.resolve("layers"))
                            .setBaseImageLayersCache(folder.resolve("layers")));
            images.put(architecture, image);
        }
        Path tar = folder.resolve("tar");
        ImageIndex.write("shop:1", images, tar);
        return tar;
    }

    private static JsonNode blob(Map<String, byte[]> files, JsonNode descriptor) throws Exception {
        byte[] content = files.get("blobs/" + descriptor.get("digest").asText().replace(':', '/'));
        assertThat(content).hasSize(descriptor.get("size").asInt());
        return JSON.readTree(content);
    }

    private static Map<String, byte[]> entries(Path tar) throws Exception {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (TarArchiveInputStream entries = new TarArchiveInputStream(Files.newInputStream(tar))) {
            for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                assertThat(files.put(entry.getName(), entries.readAllBytes())).isNull();
            }
        }
        return files;
    }
}
