package io.busbar.maven.image;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * One image for several platforms, in one OCI archive: an index that names the manifest of each. One thread; blocks.
 */
final class ImageIndex implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INDEX = "index.json";
    private static final String LAYOUT = "oci-layout";
    private static final String INDEX_TYPE = "application/vnd.oci.image.index.v1+json";

    private final ObjectNode index = index();
    private final Set<String> written = new HashSet<>();
    private final TarArchiveOutputStream tar;

    private ImageIndex(Path tar) throws IOException {
        this.tar = new TarArchiveOutputStream(Files.newOutputStream(tar), StandardCharsets.UTF_8.name());
    }

    /**
     * Writes one.
     *
     * @param images OCI archives with one image each, by architecture
     */
    static void write(String name, Map<String, Path> images, Path tar) throws IOException {
        try (ImageIndex index = new ImageIndex(tar)) {
            for (Map.Entry<String, Path> image : images.entrySet()) {
                index.add(image.getKey(), image.getValue());
            }
            index.end(name);
        }
    }

    private void add(String architecture, Path image) throws IOException {
        try (TarArchiveInputStream entries = new TarArchiveInputStream(Files.newInputStream(image))) {
            for (TarArchiveEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                if (entry.getName().equals(INDEX)) {
                    ObjectNode manifest =
                            (ObjectNode) JSON.readTree(entries.readAllBytes()).at("/manifests/0");
                    manifest.remove("annotations");
                    manifest.putObject("platform")
                            .put("architecture", architecture)
                            .put("os", "linux");
                    manifests(index).add(manifest);
                } else if (!entry.getName().equals(LAYOUT) && written.add(entry.getName())) {
                    begin(entry.getName(), entry.getSize());
                    entries.transferTo(tar);
                    tar.closeArchiveEntry();
                }
            }
        }
    }

    /** The one file that has to be there names one image: the index of both. */
    private void end(String name) throws IOException {
        byte[] all = JSON.writeValueAsBytes(index);
        String digest = Sha256.of(all);
        file("blobs/sha256/" + digest, all);
        ObjectNode top = index();
        manifests(top)
                .addObject()
                .put("mediaType", INDEX_TYPE)
                .put("digest", "sha256:" + digest)
                .put("size", all.length)
                .putObject("annotations")
                .put("org.opencontainers.image.ref.name", name);
        file(LAYOUT, "{\"imageLayoutVersion\":\"1.0.0\"}".getBytes(StandardCharsets.UTF_8));
        file(INDEX, JSON.writeValueAsBytes(top));
    }

    private static ObjectNode index() {
        ObjectNode index = JSON.createObjectNode().put("schemaVersion", 2).put("mediaType", INDEX_TYPE);
        index.putArray("manifests");
        return index;
    }

    private static ArrayNode manifests(ObjectNode index) {
        return (ArrayNode) index.get("manifests");
    }

    private void file(String name, byte[] content) throws IOException {
        begin(name, content.length);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    /** At no time, of nobody: the same bytes from each build. */
    private void begin(String name, long size) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setModTime(0);
        entry.setSize(size);
        tar.putArchiveEntry(entry);
    }

    @Override
    public void close() throws IOException {
        tar.close();
    }
}
