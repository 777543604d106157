package io.busbar.maven.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTest {

    /** As the specification of in-toto's digests has it. */
    private static final String DIR_HASH =
            "find . -type f | cut -c3- | LC_ALL=C sort | xargs -r sha256sum | sha256sum | cut -f1 -d' '";

    @TempDir
    private Path folder;

    @Test
    void has_the_digest_that_in_toto_gives_to_the_folder_of_its_modules() throws Exception {
        Path modules = modules("jdk");

        assertThat(Jdk.of(modules, "arm64").digest()).isEqualTo(dirHash(modules));
    }

    @Test
    void another_content_of_a_module_gives_another_digest() throws Exception {
        Path modules = modules("jdk");
        Jdk before = Jdk.of(modules, "arm64");
        Files.writeString(modules.resolve("java.logging.jmod"), "Logging");

        assertThat(Jdk.of(modules, "arm64").digest()).isNotEqualTo(before.digest());
    }

    @Test
    void another_name_of_a_module_gives_another_digest() throws Exception {
        Path modules = modules("jdk");
        Jdk before = Jdk.of(modules, "arm64");
        Files.move(modules.resolve("java.logging.jmod"), modules.resolve("java.xml.jmod"));

        assertThat(Jdk.of(modules, "arm64").digest()).isNotEqualTo(before.digest());
    }

    @Test
    void is_the_same_in_another_folder_at_another_time() throws Exception {
        Path modules = modules("jdk");
        Path others = modules("elsewhere");
        Files.setLastModifiedTime(others.resolve("java.logging.jmod"), FileTime.from(Instant.EPOCH));

        assertThat(Jdk.of(others, "arm64")).isEqualTo(Jdk.of(modules, "arm64"));
    }

    @Test
    void has_the_version_of_its_java_base() throws Exception {
        assertThat(Jdk.of(modules("jdk"), "arm64").version())
                .isEqualTo(Object.class.getModule().getDescriptor().rawVersion().orElseThrow());
    }

    @Test
    void a_java_base_without_a_descriptor_is_refused() throws Exception {
        Path modules = modules("jdk");
        Path base = modules.resolve("java.base.jmod");
        try (ZipOutputStream none = new ZipOutputStream(Files.newOutputStream(base))) {
            none.putNextEntry(new ZipEntry("classes/"));
        }

        assertThatIllegalStateException()
                .isThrownBy(() -> Jdk.of(modules, "arm64"))
                .withMessage(base + " has no descriptor of a module");
    }

    @Test
    void that_which_runs_this_has_the_version_that_it_says() throws Exception {
        Jdk here = LinuxSystem.here().jdk();
        Path home = Path.of(System.getProperty("java.home"));
        Path modules = home.resolve("jmods");

        assertThat(here.version()).isEqualTo(System.getProperty("java.version"));
        assertThat(here.digest()).isEqualTo(dirHash(Files.isDirectory(modules) ? modules : home));
    }

    /** With a module java.base that has no more than its descriptor. */
    private Path modules(String jdk) throws IOException {
        Path modules = Files.createDirectories(folder.resolve(jdk).resolve("jmods"));
        try (OutputStream base = Files.newOutputStream(modules.resolve("java.base.jmod"));
                InputStream descriptor = Object.class.getResourceAsStream("/module-info.class")) {
            base.write(new byte[] {'J', 'M', 1, 0});
            ZipOutputStream content = new ZipOutputStream(base);
            ZipEntry entry = new ZipEntry("classes/module-info.class");
            entry.setLastModifiedTime(FileTime.from(Instant.EPOCH));
            content.putNextEntry(entry);
            descriptor.transferTo(content);
            content.finish();
        }
        Files.writeString(modules.resolve("java.logging.jmod"), "logging");
        return modules;
    }

    private static String dirHash(Path folder) throws Exception {
        Process sums = new ProcessBuilder("sh", "-c", DIR_HASH)
                .directory(folder.toFile())
                .start();
        return new String(sums.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }
}
