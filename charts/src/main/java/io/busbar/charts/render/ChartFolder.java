package io.busbar.charts.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * A copy of a chart, unpacked, and changed as {@link TemplateText} says: what is rendered. It stays as the chart was
 * when it was read, and is deleted when the process ends in order.
 *
 * <p>Immutable.
 *
 * @param name that the chart gives itself
 * @param path with {@code Chart.yaml}
 * @param hash of all its files
 * @param mayMakeUp whether it may come to something else each time that it is rendered
 * @param templates their texts, those of charts within it too
 * @param lookedUp the kinds that it looks up, as far as it names them plainly
 * @param use is read-locked by those that need the files
 */
public record ChartFolder(
        String name,
        Path path,
        String hash,
        boolean mayMakeUp,
        List<String> templates,
        Set<LookedUp> lookedUp,
        ReadWriteLock use) {

    public ChartFolder {
        templates = List.copyOf(templates);
        lookedUp = Set.copyOf(lookedUp);
    }

    /**
     * A kind that a chart looks up.
     *
     * @param lists whether for all objects that there are
     */
    public record LookedUp(String apiVersion, String kind, boolean lists) {}

    /**
     * Reads a chart. Blocks.
     *
     * @param chart a folder, or a {@code .tgz}
     * @throws IOException when it cannot be read
     */
    public static ChartFolder of(Path chart) throws IOException {
        Path work = Files.createTempDirectory("busbar-chart");
        ReadWriteLock use = new ReentrantReadWriteLock();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(work, use), "busbar-chart-end"));
        Path root = work.resolve("chart");
        if (Files.isDirectory(chart)) {
            copy(chart, root);
        } else {
            unpack(chart, root);
        }
        unpackWithin(root);
        List<String> templates = new ArrayList<>();
        Set<LookedUp> lookedUp = new HashSet<>();
        boolean mayMakeUp = false;
        StringBuilder contents = new StringBuilder();
        for (Path file : files(root)) {
            byte[] content = Files.readAllBytes(file);
            contents.append(root.relativize(file))
                    .append(' ')
                    .append(Hash.of(content))
                    .append('\n');
            Optional<String> text = text(content);
            if (text.isPresent() && isRendered(root.relativize(file))) {
                String prepared = TemplateText.prepared(text.get());
                mayMakeUp |= TemplateText.mayMakeUp(prepared);
                lookedUp.addAll(TemplateText.lookedUp(text.get()));
                Files.writeString(file, prepared);
                if (file.toString().contains("/templates/")) {
                    templates.add(prepared);
                }
            }
        }
        Path lookups = root.resolve(LookupTemplate.FILE);
        Files.createDirectories(lookups.getParent());
        Files.writeString(lookups, LookupTemplate.text(Map.of()));
        return new ChartFolder(
                name(root), root, Hash.of(contents.toString().getBytes(UTF_8)), mayMakeUp, templates, lookedUp, use);
    }

    /** Empty where it has none: Helm complains when it is rendered. */
    private static String name(Path root) throws IOException {
        Path about = root.resolve("Chart.yaml");
        if (!Files.exists(about)) {
            return "";
        }
        try {
            return YamlDocuments.rendered(Files.readString(about)).stream()
                    .map(document -> document.path("name").asText())
                    .findFirst()
                    .orElse("");
        } catch (IllegalArgumentException noYaml) {
            return "";
        }
    }

    /** What needs the files. */
    interface Use<T> {
        T make() throws RenderFailedException, IOException;
    }

    /**
     * Does that before the files go.
     *
     * @throws IOException when they have gone: half of a chart would render to something else
     */
    <T> T whileThere(Use<T> needed) throws RenderFailedException, IOException {
        use.readLock().lock();
        try {
            if (!Files.exists(path)) {
                throw new IOException("the chart is not rendered any more: the operator stops");
            }
            return needed.make();
        } finally {
            use.readLock().unlock();
        }
    }

    /** Removes the files. */
    void end() {
        end(path, use);
    }

    private static void end(Path work, ReadWriteLock use) {
        use.writeLock().lock();
        try {
            delete(work);
        } finally {
            use.writeLock().unlock();
        }
    }

    /**
     * Writes it with answers to what it looks up, which may be secret, into a folder that is this user's alone. All else
     * is linked, and so there only once, but for templates that are told another time.
     */
    void writeWith(Map<Lookup, Optional<JsonNode>> answers, boolean longAgo, Path root) throws IOException {
        Path lookups = path.resolve(LookupTemplate.FILE);
        for (Path file : files(path)) {
            if (!file.equals(lookups)) {
                Path link = root.resolve(path.relativize(file));
                Files.createDirectories(link.getParent());
                if (longAgo && isRendered(path.relativize(file))) {
                    Files.write(link, longAgo(Files.readAllBytes(file)));
                } else {
                    Files.createLink(link, file);
                }
            }
        }
        Path own = root.resolve(LookupTemplate.FILE);
        Files.createDirectories(own.getParent());
        Files.writeString(own, LookupTemplate.text(answers));
    }

    /** Templates, and values, which may hold templates too. */
    private static boolean isRendered(Path file) {
        String name = String.valueOf(file.getFileName());
        return file.toString().startsWith("templates/")
                || file.toString().contains("/templates/")
                || name.equals("values.yaml");
    }

    private static byte[] longAgo(byte[] content) {
        return text(content)
                .map(text -> TemplateText.longAgo(text).getBytes(UTF_8))
                .orElse(content);
    }

    private static Optional<String> text(byte[] content) {
        try {
            return Optional.of(
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString());
        } catch (CharacterCodingException binary) {
            return Optional.empty();
        }
    }

    /** What is in a chart's archive lies in one folder. */
    private static void unpack(Path archive, Path root) throws IOException {
        Path whole = Files.createTempDirectory(root.toAbsolutePath().getParent(), "archive");
        ChartArchive.unpack(archive, whole);
        try (Stream<Path> within = Files.list(whole)) {
            Path only = within.filter(folder -> Files.exists(folder.resolve("Chart.yaml")))
                    .findFirst()
                    .orElseThrow(() -> new IOException(archive + " has no folder with a Chart.yaml"));
            Files.move(only, root);
        }
    }

    /** The charts that one depends on may be archives themselves. */
    private static void unpackWithin(Path root) throws IOException {
        for (Path file : files(root)) {
            if (file.toString().matches(".*/charts/[^/]+\\.tgz")) {
                String name = file.getFileName().toString();
                Path folder = file.resolveSibling(name.substring(0, name.length() - 4));
                unpack(file, folder);
                Files.delete(file);
                unpackWithin(folder);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from, FileVisitOption.FOLLOW_LINKS)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** With all that is within. */
    static void delete(Path work) {
        try (Stream<Path> all = Files.walk(work)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }
}
