package com.example.webpage;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.manifests.Difference;
import io.busbar.runtime.bundle.OperatorDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is installed in a cluster is what the classes declare. */
class WebpageManifestsTest {

    @Test
    void the_folders_that_busbar_manifests_has_written_are_up_to_date() throws IOException {
        assertThat(OperatorDefinition.of(new WebpageBundle()).manifests().differencesIn(Path.of("")))
                .filteredOn(difference -> Files.isDirectory(Path.of(difference.file().split("/")[0])))
                // Files of one's own may lie beside.
                .filteredOn(difference -> difference.kind() != Difference.Kind.UNEXPECTED)
                .as("after mvn busbar:manifests")
                .isEmpty();
    }
}
