package io.busbar.blueprint.packed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.blueprint.Blueprints;
import io.busbar.blueprint.read.BlueprintReader.Text;
import io.busbar.blueprint.run.Revision;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.runtime.bundle.Bundle;
import io.busbar.runtime.bundle.OperatorDefinition;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackedJarTest {

    private static final String MAIN = Main.class.getName().replace('.', '/') + ".class";

    @TempDir
    private Path folder;

    private Path toolkit;
    private Path shop;

    @BeforeEach
    void make() throws IOException {
        toolkit = folder.resolve("toolkit.jar");
        shop = folder.resolve("shop.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "io.busbar.operator.Main");
        manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
        try (OutputStream file = Files.newOutputStream(toolkit);
                JarOutputStream jar = new JarOutputStream(file, manifest)) {
            for (String name : List.of(MAIN, "META-INF/services/some.Service")) {
                jar.putNextEntry(new ZipEntry(name));
                jar.write(name.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static PackedOperator operator(String... blueprints) {
        List<Text> texts = new ArrayList<>();
        for (String blueprint : blueprints) {
            texts.add(new Text("folder" + texts.size() + "/blueprint.yaml", blueprint));
        }
        return new PackedOperator("shop", "1.2.0", texts, List.of(), List.of());
    }

    private PackedOperator read() {
        return PackedOperator.of(shop);
    }

    @Test
    void holds_the_toolkit_and_what_it_was_packed_with() throws IOException {
        PackedJar.write(
                toolkit,
                operator(Blueprints.file("web-application.yaml"), Blueprints.file("shared-config.yaml")),
                shop);

        try (JarFile jar = new JarFile(shop.toFile())) {
            assertThat(Collections.list(jar.entries()))
                    .extracting(ZipEntry::getName)
                    .containsExactly(
                            "META-INF/MANIFEST.MF",
                            "META-INF/busbar/blueprints/1-blueprint.yaml",
                            "META-INF/busbar/blueprints/2-blueprint.yaml",
                            "META-INF/busbar/operator.json",
                            MAIN,
                            "META-INF/services/some.Service");
            assertThat(jar.getManifest().getMainAttributes())
                    .containsEntry(Attributes.Name.MAIN_CLASS, Main.class.getName())
                    .containsEntry(Attributes.Name.IMPLEMENTATION_VERSION, "1.2.0")
                    .containsEntry(Attributes.Name.MULTI_RELEASE, "true");
            assertThat(jar.getInputStream(jar.getEntry(MAIN))).hasContent(MAIN);
        }
        OperatorDefinition definition = read().definition();
        assertThat(definition.name()).isEqualTo("shop");
        assertThat(definition.about().version()).isEqualTo("1.2.0");
        assertThat(definition.bundles()).extracting(Bundle::name).containsExactly("web-application", "shared-config");
        assertThat(definition.crds())
                .extracting(crd -> crd.getMetadata().getName())
                .containsExactly("echoservices.busbar.io", "webapplications.shop.example.com");
    }

    @Test
    void is_the_same_to_the_byte_each_time_and_takes_the_place_of_an_earlier_one() throws IOException {
        PackedJar.write(toolkit, operator(Blueprints.file("shared-config.yaml")), shop);
        byte[] first = Files.readAllBytes(shop);
        assertThat(PackedJar.isPacked(shop)).isTrue();
        assertThat(PackedJar.isPacked(toolkit)).isFalse();

        PackedJar.write(toolkit, operator(Blueprints.file("web-application.yaml")), shop);
        assertThat(Files.readAllBytes(shop)).isNotEqualTo(first);
        PackedJar.write(toolkit, operator(Blueprints.file("shared-config.yaml")), shop);
        assertThat(Files.readAllBytes(shop)).isEqualTo(first);
    }

    @Test
    void knows_the_kinds_that_its_blueprints_were_checked_with() throws IOException {
        PackedOperator packed = new PackedOperator(
                "shop",
                "1.2.0",
                List.of(new Text("databases.yaml", Blueprints.file("databases.yaml"))),
                List.of(new Text("kinds/database.yaml", Blueprints.file("database-crd.yaml"))),
                List.of());
        PackedJar.write(toolkit, packed, shop);

        PackedOperator read = read();
        assertThatThrownBy(read::definition)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("'schema.spec.size' is a string; the field needs an integer");
    }

    @Test
    void holds_what_its_blueprints_were_in_three_jars_before() throws IOException {
        String map =
                "- id: made\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {text: '%s'}}\n";
        String secret = "- id: made\n  template: {apiVersion: v1, kind: Secret, metadata: {name: a}}\n";
        List<String> versions = List.of(
                Blueprints.with("", map.formatted("0")),
                Blueprints.with("", secret),
                Blueprints.with("", map.formatted("2")),
                Blueprints.with("", map.formatted("3")),
                Blueprints.with("", map.formatted("2")) + "  rollout: {maxUnavailable: 1}\n");
        List<List<Text>> before = List.of();
        for (String version : versions) {
            PackedJar.write(
                    toolkit,
                    new PackedOperator("shop", "1.0.0", List.of(new Text("same.yaml", version)), List.of(), before),
                    shop);
            before = read().untilNow();
        }

        PackedOperator last = read();
        List<String> lost = new ArrayList<>();
        assertThat(last.earlier())
                .extracting(jar -> jar.get(0).yaml())
                .isEqualTo(List.of(versions.get(3), versions.get(2), versions.get(1)));
        List<Revision> revisions = last.revisions(lost::add).get(0);
        assertThat(revisions)
                .as("is again what it was two jars before")
                .extracting(revision -> revision.name())
                .containsExactly(
                        Revision.named(Blueprints.checked(versions.get(2))).name(),
                        Revision.named(Blueprints.checked(versions.get(3))).name());
        assertThat(lost).singleElement().asString().endsWith("makes or reads kinds that the new one does not");
    }

    @Test
    void leaves_what_is_there_where_the_toolkit_is_none() throws IOException {
        Files.writeString(shop, "before");
        Path empty = Files.writeString(folder.resolve("empty.jar"), "");

        assertThatThrownBy(() -> PackedJar.write(empty, operator(Blueprints.file("shared-config.yaml")), shop))
                .isInstanceOf(IOException.class);
        assertThat(shop).hasContent("before");
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }
}
