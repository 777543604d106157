package io.busbar.scaffold.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files to be written and deleted in a folder, all of them or none.
 *
 * <p>For one thread. Texts are written to a folder of their own first and moved when all of them are there; when a move
 * fails, what was moved before is taken back, folders included. A process that is killed in between leaves a folder
 * {@code .scaffold-…} with what it has put aside.
 */
public final class FileChanges {

    private static final String ASIDE = ".scaffold-";

    /** Empty for a file that goes. */
    private final SortedMap<String, Optional<String>> texts = new TreeMap<>();

    public void write(String path, String text) {
        texts.put(path, Optional.of(text));
    }

    public void delete(String path) {
        texts.put(path, Optional.empty());
    }

    public boolean isEmpty() {
        return texts.isEmpty();
    }

    /**
     * Does all of it. Blocks.
     *
     * @param root made if it is not there
     * @throws IOException when something stands in the way; then nothing has changed, unless a suppressed exception
     *     says what could not be taken back
     */
    public void applyTo(Path root) throws IOException {
        if (texts.isEmpty()) {
            return;
        }
        Undo folder = new Undo();
        try {
            folder.makeFolder(root.toAbsolutePath());
            Path aside = Files.createTempDirectory(root, ASIDE);
            Undo moves = new Undo();
            try {
                writeAside(aside);
                move(root.toAbsolutePath(), aside, moves);
            } catch (IOException | RuntimeException failed) {
                moves.runAll(failed);
                throw failed;
            } finally {
                if (moves.isComplete()) {
                    deleteTree(aside);
                }
            }
        } catch (IOException | RuntimeException failed) {
            folder.runAll(failed);
            throw failed;
        }
    }

    private void writeAside(Path aside) throws IOException {
        int number = 0;
        for (Optional<String> text : texts.values()) {
            if (text.isPresent()) {
                Files.writeString(aside.resolve("new-" + number), text.get());
            }
            number++;
        }
    }

    private void move(Path root, Path aside, Undo undo) throws IOException {
        int number = 0;
        for (var change : texts.entrySet()) {
            Path target = root.resolve(change.getKey());
            Path old = aside.resolve("old-" + number);
            Path made = aside.resolve("new-" + number);
            number++;
            undo.makeFolder(target.getParent());
            if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(target + " is a folder, where a file is to be");
            }
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(target, old);
                undo.add(() -> Files.move(old, target));
            }
            if (change.getValue().isPresent()) {
                Files.move(made, target);
                undo.add(() -> Files.delete(target));
            }
        }
    }

    private static void deleteTree(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }

    /** How to take back what was done, the latest first. */
    private static final class Undo {

        private interface Step {
            void run() throws IOException;
        }

        private final Deque<Step> steps = new ArrayDeque<>();
        private boolean complete = true;

        void add(Step step) {
            steps.push(step);
        }

        /** Makes a folder and those above it, as far as they are missing. */
        void makeFolder(@Nullable Path folder) throws IOException {
            List<Path> missing = new ArrayList<>();
            for (Path at = folder; at != null && Files.notExists(at); at = at.getParent()) {
                missing.add(at);
            }
            Collections.reverse(missing);
            for (Path each : missing) {
                Files.createDirectory(each);
                add(() -> Files.delete(each));
            }
        }

        void runAll(Exception cause) {
            while (!steps.isEmpty()) {
                try {
                    steps.pop().run();
                } catch (IOException stuck) {
                    complete = false;
                    cause.addSuppressed(stuck);
                }
            }
        }

        /** Whether nothing is left that could not be taken back. */
        boolean isComplete() {
            return complete;
        }
    }
}
