package io.busbar.operator.documentation;

import io.busbar.operator.documentation.Page.Snippet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Decides how a block is checked, and lets none pass that is not. One thread. */
final class BlockCheck {

    /** Drawings, and what programs print. */
    private static final Set<String> NO_CODE = Set.of("text");

    private static final Pattern FLAG = Pattern.compile("--[a-z][a-z0-9-]*");

    private static final String ALLOWED = """
            Allowed above a block, as an HTML comment of its own line: the path of the file that its lines are taken from, or, on the \
            pages docs/coming-from-….md, 'not ours: PROJECT' for code of another project.
            Allowed without one: java that is a whole class, sh, yaml that is an object of Kubernetes, xml that is part of a pom, and \
            text for what is no code.""";

    private final ShellBlocks shell = new ShellBlocks();
    private final Set<String> flags = JarCommands.flags();
    private final YamlBlocks yaml;

    BlockCheck(KubernetesClient client) {
        this.yaml = new YamlBlocks(client);
    }

    /**
     * @param page all blocks of its page, as classes may use each other
     * @param classes an empty folder
     * @throws AssertionError that names page and line
     */
    void check(Block block, List<Block> page, Path classes) throws Exception {
        if (block.project().isPresent()) {
            if (!block.page().startsWith("docs/coming-from-")) {
                throw new AssertionError(
                        block.place() + ": code of " + block.project().get() + " is not allowed here\n" + ALLOWED);
            }
            return;
        }
        if (block.source().isPresent()) {
            new Citation(block, block.source().get()).check();
            return;
        }
        switch (block.language()) {
            case "java" -> {
                if (!Compiler.isWhole(block.text())) {
                    throw new AssertionError(
                            block.place() + ": java that is no whole class is not checked\n" + ALLOWED);
                }
                new Compiler(classes).texts(block.place(), classes(page));
            }
            case "sh" -> shell.check(block);
            case "yaml" -> yaml.check(block);
            case "xml" -> XmlBlocks.check(block);
            default -> {
                if (!NO_CODE.contains(block.language())) {
                    throw new AssertionError(
                            block.place() + ": nothing checks a block of '" + block.language() + "'\n" + ALLOWED);
                }
            }
        }
    }

    /**
     * Holds code within a text to the programs as well: whole commands, flags of ours, goals of ours. What else it is,
     * nobody can tell.
     *
     * @throws AssertionError that names page and line
     */
    void check(String page, Snippet snippet) {
        String text = snippet.text();
        Block alone = new Block(page, snippet.line(), "sh", "", List.of(text));
        if (text.matches("(mvn|java -jar|kubectl) \\S.*")) {
            shell.check(alone);
        } else if (text.matches("busbar:[a-z-]+")) {
            shell.check(new Block(page, snippet.line(), "sh", "", List.of("mvn " + text)));
        } else if (text.startsWith("--")) {
            FLAG.matcher(text).results().map(MatchResult::group).forEach(flag -> {
                if (!flags.contains(flag)) {
                    throw new AssertionError(alone.place() + ": no command has the flag " + flag);
                }
            });
        }
    }

    private static List<String> classes(List<Block> page) {
        return page.stream()
                .filter(block -> block.language().equals("java")
                        && block.source().isEmpty()
                        && block.project().isEmpty())
                .map(Block::text)
                .filter(Compiler::isWhole)
                .toList();
    }
}
