package io.busbar.blueprint.packed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.hash.Hashing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarFile;

/**
 * An image of the toolkit with an operator of Blueprints on top: one more layer with the Blueprints, for each platform
 * that the image is for. The class path begins with the toolkit's jar, so that an archive of its classes still serves.
 * The same Blueprints and the same image give the same bytes.
 *
 * <p>One thread, once; blocks.
 */
public final class PackedImage {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LAYOUT = "oci-layout";
    private static final String INDEX = "index.json";
    private static final String BLOBS = "blobs/sha256/";
    private static final String ANNOTATIONS = "annotations";
    private static final String NAME = "org.opencontainers.image.ref.name";

    private final TarFile toolkit;
    private final PackedOperator operator;
    private final String jar;
    private final byte[] layer;
    /** By their names in the archive. */
    private final SortedMap<String, byte[]> made = new TreeMap<>();
    /** Names of what the image has no more. */
    private final Set<String> replaced = new HashSet<>();

    private PackedImage(TarFile toolkit, PackedOperator operator) throws IOException {
        this.toolkit = toolkit;
        this.operator = operator;
        this.jar = operator.name() + ".jar";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, StandardCharsets.UTF_8.name())) {
            add(tar, "app/" + jar, PackedJar.blueprintsAlone(operator));
        }
        this.layer = bytes.toByteArray();
    }

    /** Whether a file is an image as one is written here, and as the toolkit's is: an OCI archive. */
    public static boolean isImage(Path file) {
        try (TarFile tar = new TarFile(file)) {
            return tar.getEntries().stream().anyMatch(entry -> entry.getName().equals(LAYOUT));
        } catch (IOException | IllegalArgumentException noTar) {
            return false;
        }
    }

    /**
     * Writes one, whole or not at all.
     *
     * @param toolkit an OCI archive with one image, for one platform or several
     * @param name with a tag, such as {@code registry.example.com/shop:1.0}
     * @throws IOException when the one cannot be read, or is no image that runs a jar, or the other cannot be written
     */
    public static void write(Path toolkit, PackedOperator operator, String name, Path output) throws IOException {
        Path unfinished = output.resolveSibling(output.getFileName() + ".part");
        try {
            try (TarFile tar = new TarFile(toolkit)) {
                new PackedImage(tar, operator).write(name, unfinished);
            }
            Files.move(unfinished, output, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private void write(String name, Path output) throws IOException {
        ObjectNode index = object(INDEX);
        JsonNode manifests = index.path("manifests");
        if (manifests.size() != 1) {
            throw new IOException(INDEX + " names " + manifests.size() + " images; allowed: one");
        }
        ObjectNode image = packed((ObjectNode) manifests.get(0));
        image.putObject(ANNOTATIONS).put(NAME, name);
        index.putArray("manifests").add(image);
        made.put(INDEX, JSON.writeValueAsBytes(index));
        replaced.add(INDEX);
        made.put(BLOBS + digest(layer), layer);
        try (TarArchiveOutputStream tar =
                new TarArchiveOutputStream(Files.newOutputStream(output), StandardCharsets.UTF_8.name())) {
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            for (TarArchiveEntry entry : toolkit.getEntries()) {
                if (entry.isFile() && !replaced.contains(entry.getName())) {
                    begin(tar, entry.getName(), entry.getSize());
                    try (InputStream content = toolkit.getInputStream(entry)) {
                        content.transferTo(tar);
                    }
                    tar.closeArchiveEntry();
                }
            }
            for (var blob : made.entrySet()) {
                add(tar, blob.getKey(), blob.getValue());
            }
        }
    }

    /** The same descriptor of what it describes, packed: an index of several images, or one image. */
    private ObjectNode packed(ObjectNode descriptor) throws IOException {
        ObjectNode described = blob(descriptor);
        if (described.path("manifests") instanceof ArrayNode platforms) {
            ArrayNode all = JSON.createArrayNode();
            for (JsonNode platform : platforms) {
                all.add(packed((ObjectNode) platform));
            }
            described.set("manifests", all);
        } else {
            described.set("config", described(described.withObjectProperty("config"), configured(described)));
            described
                    .withArrayProperty("layers")
                    .addObject()
                    .put("mediaType", "application/vnd.oci.image.layer.v1.tar")
                    .put("digest", "sha256:" + digest(layer))
                    .put("size", layer.length);
        }
        return described(descriptor, described);
    }

    private ObjectNode configured(ObjectNode manifest) throws IOException {
        ObjectNode config = blob(manifest.withObjectProperty("config"));
        ArrayNode entrypoint = config.withObjectProperty("config").withArrayProperty("Entrypoint");
        int at = 0;
        while (at < entrypoint.size() && !entrypoint.get(at).asText().equals("-jar")) {
            at++;
        }
        if (at + 1 >= entrypoint.size()) {
            throw new IOException("it starts with " + entrypoint + "; allowed: an image that runs a jar, with -jar");
        }
        entrypoint.set(at, "-cp");
        entrypoint.set(at + 1, entrypoint.get(at + 1).asText() + ":" + jar);
        entrypoint.insert(at + 2, Main.class.getName());
        config.withObjectProperty("rootfs").withArrayProperty("diff_ids").add("sha256:" + digest(layer));
        config.withArrayProperty("history")
                .addObject()
                .put("created", "1970-01-01T00:00:00Z")
                .put("created_by", "busbar blueprint pack")
                .put("comment", operator.name() + " " + operator.version());
        return config;
    }

    /** What a descriptor describes, which is to be replaced. */
    private ObjectNode blob(JsonNode descriptor) throws IOException {
        String name = BLOBS + descriptor.path("digest").asText().replaceFirst("^sha256:", "");
        replaced.add(name);
        return object(name);
    }

    private ObjectNode object(String name) throws IOException {
        for (TarArchiveEntry entry : toolkit.getEntries()) {
            if (entry.getName().equals(name)) {
                try (InputStream content = toolkit.getInputStream(entry)) {
                    return JSON.readValue(content, ObjectNode.class);
                }
            }
        }
        throw new IOException("it lacks " + name);
    }

    private ObjectNode described(ObjectNode descriptor, ObjectNode blob) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(blob);
        String digest = digest(bytes);
        made.put(BLOBS + digest, bytes);
        return descriptor.deepCopy().put("digest", "sha256:" + digest).put("size", bytes.length);
    }

    private static String digest(byte[] bytes) {
        return Hashing.sha256().hashBytes(bytes).toString();
    }

    private static void add(TarArchiveOutputStream tar, String name, byte[] content) throws IOException {
        begin(tar, name, content.length);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    /** At no time, of nobody. */
    private static void begin(TarArchiveOutputStream tar, String name, long size) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setModTime(0);
        entry.setSize(size);
        tar.putArchiveEntry(entry);
    }
}
