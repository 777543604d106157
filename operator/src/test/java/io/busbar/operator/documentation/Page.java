package io.busbar.operator.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page in Markdown, taken apart. Immutable.
 *
 * @param name its path from the root of the repository
 */
record Page(String name, List<String> lines) {

    /** Of the repository; tests run in their module's folder. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern FENCE = Pattern.compile("( *)```(\\S*).*");
    private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
    private static final Pattern COMMENT = Pattern.compile("\\s*<!--\\s*(.*?)\\s*-->\\s*");
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?) *#*");
    private static final Pattern SNIPPET = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");

    /** Where a link leads to. */
    record Link(int line, String target) {}

    /** Code within a line of text. */
    record Snippet(int line, String text) {}

    Page {
        lines = List.copyOf(lines);
    }

    static Page read(Path file) {
        try {
            return new Page(ROOT.relativize(file).toString(), Files.readAllLines(file));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("no page can be read at " + file, unreadable);
        }
    }

    /** The folders of the modules that {@code pom.xml} names. */
    static Stream<Path> modules() throws IOException {
        return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(module -> ROOT.resolve(module.group(1)));
    }

    /** All that strangers read: the pages of {@code docs}, and the READMEs of the repository and of its modules. */
    static List<Page> all() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
            pages.filter(page -> page.toString().endsWith(".md"))
                    .filter(page -> !ROOT.relativize(page).toString().contains("/target/"))
                    .forEach(files::add);
        }
        Stream.concat(Stream.of(ROOT), modules())
                .map(module -> module.resolve("README.md"))
                .filter(Files::isRegularFile)
                .filter(readme -> !files.contains(readme))
                .forEach(files::add);
        return files.stream().sorted().map(Page::read).toList();
    }

    /**
     * In the order of the page.
     *
     * @throws IllegalArgumentException naming the line of a fence that is never closed
     */
    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                continue;
            }
            int end = closing(i, fence.group(1));
            String indentation = fence.group(1);
            blocks.add(new Block(
                    name,
                    i + 1,
                    fence.group(2),
                    comment(i),
                    lines.subList(i + 1, end).stream()
                            .map(line -> line.startsWith(indentation) ? line.substring(indentation.length()) : line)
                            .toList()));
            i = end;
        }
        return blocks;
    }

    /** Those outside of blocks. */
    List<Link> links() {
        List<Link> links = new ArrayList<>();
        prose().forEach((number, line) -> LINK.matcher(line.replaceAll("`[^`]*`", ""))
                .results()
                .forEach(link -> links.add(new Link(number, link.group(1)))));
        return links;
    }

    /** Code within its text. */
    List<Snippet> snippets() {
        List<Snippet> snippets = new ArrayList<>();
        prose().forEach((number, line) -> SNIPPET.matcher(line)
                .results()
                .forEach(snippet -> snippets.add(new Snippet(number, snippet.group(1)))));
        return snippets;
    }

    /** The anchors of its headings, as GitHub names them. */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        prose().values().stream()
                .map(HEADING::matcher)
                .filter(Matcher::matches)
                .map(heading -> slug(heading.group(1)))
                .forEach(slug -> {
                    int before = seen.merge(slug, 1, Integer::sum) - 1;
                    anchors.add(before == 0 ? slug : slug + "-" + before);
                });
        return anchors;
    }

    private static String slug(String heading) {
        return heading.replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    /** The lines that are in no block, by their numbers. */
    private Map<Integer, String> prose() {
        Map<Integer, String> prose = new TreeMap<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (fence.matches()) {
                i = closing(i, fence.group(1));
            } else {
                prose.put(i + 1, lines.get(i));
            }
        }
        return prose;
    }

    private int closing(int opening, String indentation) {
        for (int i = opening + 1; i < lines.size(); i++) {
            if (lines.get(i).equals(indentation + "```")) {
                return i;
            }
        }
        throw new IllegalArgumentException(name + ":" + (opening + 1) + ": this fence is never closed");
    }

    private String comment(int fence) {
        Matcher comment = COMMENT.matcher(fence == 0 ? "" : lines.get(fence - 1));
        return comment.matches() ? comment.group(1) : "";
    }
}
