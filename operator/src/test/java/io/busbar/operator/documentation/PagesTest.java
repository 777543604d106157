package io.busbar.operator.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.bundled.Bundled;
import io.busbar.operator.documentation.Page.Link;
import io.busbar.runtime.assembly.Installation;
import io.busbar.sandbox.testkit.KubernetesSandbox;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What people read is true: each block of code on each page, and each link. */
@KubernetesSandbox
class PagesTest {

    @TempDir
    private Path scratch;

    @TestFactory
    Stream<DynamicNode> each_block_of_code_is_checked(KubernetesClient client) throws IOException {
        Installation.install(client, Bundled.operator());
        BlockCheck check = new BlockCheck(client);
        return Page.all().stream().map(page -> {
            List<Block> blocks = page.blocks();
            return DynamicContainer.dynamicContainer(
                    page.name(),
                    blocks.stream()
                            .map(block -> DynamicTest.dynamicTest(
                                    block.toString(),
                                    () -> check.check(block, blocks, Files.createTempDirectory(scratch, "classes")))));
        });
    }

    @TestFactory
    Stream<DynamicTest> each_command_flag_and_goal_in_the_text_is_there(KubernetesClient client) throws IOException {
        BlockCheck check = new BlockCheck(client);
        return Page.all().stream()
                .filter(page -> page.name().matches("docs/(?!coming-from-)[^/]+"))
                .map(page -> DynamicTest.dynamicTest(
                        page.name(), () -> page.snippets().forEach(snippet -> check.check(page.name(), snippet))));
    }

    @TestFactory
    Stream<DynamicTest> each_link_leads_to_a_file_and_a_heading_that_are_there() throws IOException {
        return Page.all().stream()
                .map(page -> DynamicTest.dynamicTest(
                        page.name(), () -> page.links().forEach(link -> checkLink(page, link))));
    }

    private static void checkLink(Page page, Link link) {
        if (link.target().matches("https?://.*")) {
            return;
        }
        String place = page.name() + ":" + link.line() + ": ";
        String[] parts = link.target().split("#", 2);
        Path folder = Page.ROOT.resolve(page.name()).getParent();
        Path file = parts[0].isEmpty()
                ? Page.ROOT.resolve(page.name())
                : folder.resolve(parts[0]).normalize();
        assertThat(file).as(place + link.target()).exists();
        if (parts.length == 2) {
            assertThat(Page.read(file).anchors()).as(place + link.target()).contains(parts[1]);
        }
    }

    @TestFactory
    Stream<DynamicTest> each_example_in_java_compiles(@TempDir Path classes) throws IOException {
        List<Path> examples;
        try (Stream<Path> folders = Files.list(Page.ROOT.resolve("docs/examples"))) {
            examples = folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .sorted()
                    .toList();
        }
        return examples.stream()
                .map(example -> DynamicTest.dynamicTest(
                        example.getFileName().toString(),
                        () -> new Compiler(Files.createTempDirectory(classes, "example"))
                                .folders(
                                        Page.ROOT.relativize(example).toString(),
                                        example.resolve("src/main/java"),
                                        example.resolve("src/main/resources"),
                                        example.resolve("src/test/java"),
                                        example.resolve("src/test/resources"))));
    }
}
