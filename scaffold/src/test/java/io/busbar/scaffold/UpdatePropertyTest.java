package io.busbar.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Updates of projects that people and editions have changed at random. */
class UpdatePropertyTest {

    @Property(tries = 25)
    void a_second_run_changes_nothing_and_lines_of_people_stay(@ForAll long seed) throws IOException {
        Path temporary = Files.createTempDirectory("update");
        try {
            Folder folder = new Folder(temporary.resolve("shop"));
            folder.scaffold().init("example.com", null, null, false);
            folder.scaffold().createApi(new ApiRequest("shop", "v1", "Crate", null, true, true, null, false));
            Random random = new Random(seed);
            List<String> written = new ArrayList<>();
            for (String path : folder.files().keySet()) {
                boolean peoples =
                        !List.of("PROJECT", ".scaffold.json").contains(path) && !path.endsWith("ShopBundle.java");
                if (peoples && random.nextBoolean()) {
                    folder.write(path, changed(folder.text(path), "mine " + path, random));
                    written.add(path);
                }
            }
            NewerEdition newer = new NewerEdition(
                    "9.0.0",
                    (path, text) -> random(seed, path).nextBoolean()
                            ? text
                            : changed(text, "theirs " + path, random(seed, path)),
                    List.of());

            folder.scaffold(newer).update();

            Map<String, String> once = folder.files();
            for (String path : written) {
                assertThat(once.get(path)).contains("mine " + path);
            }
            assertThat(folder.scaffold(newer).update().changes()).isEmpty();
            assertThat(folder.files()).isEqualTo(once);
        } finally {
            try (Stream<Path> paths = Files.walk(temporary)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** The same for each call, as an edition makes the same of the same project. */
    private static Random random(long seed, String path) {
        return new Random(seed + path.hashCode());
    }

    /** Some lines gone, and one more. */
    private static String changed(String text, String line, Random random) {
        List<String> lines =
                text.lines().filter(each -> random.nextInt(10) > 0).collect(Collectors.toCollection(ArrayList::new));
        lines.add(random.nextInt(lines.size() + 1), line);
        return lines.stream().map(each -> each + "\n").collect(Collectors.joining());
    }
}
