package io.busbar.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.manifests.crd.CrdGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * What the scaffold makes is compiled with all warnings, each of them a failure, and its tests are run, all in this
 * process.
 */
class GeneratedProjectTest {

    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    @TempDir
    private Path temporary;

    @Test
    void passes_its_own_tests_with_a_kind_its_controller_and_its_webhooks() throws Exception {
        Folder folder = started("example.com", "shop");
        folder.scaffold().createApi(api("shop", "v1", "Crate", true));
        folder.scaffold().createWebhook(new WebhookRequest("shop", "v1", "Crate", true, true, false, List.of(), false));

        passes(folder, 9);
    }

    @Test
    void passes_its_own_tests_with_versions_that_are_converted() throws Exception {
        Folder folder = started("example.com", "flower-shop-operator");
        folder.scaffold().createApi(api("shop", "v1alpha1", "Crate", false));
        folder.scaffold().createApi(api("shop", "v1beta1", "Crate", false));
        folder.scaffold().createApi(api("shop", "v1", "Crate", false));
        folder.scaffold()
                .createWebhook(new WebhookRequest(
                        "shop", "v1", "Crate", true, false, true, List.of("v1alpha1", "v1beta1"), false));
        // Webhooks of two versions of a kind.
        folder.scaffold()
                .createWebhook(new WebhookRequest("shop", "v1beta1", "Crate", true, false, false, List.of(), false));

        assertThat(folder.text("src/main/java/com/example/flowershopoperator/crate/v1/Crate.java"))
                .contains("@Version(\"v1\")");
        assertThat(folder.text("src/main/java/com/example/flowershopoperator/crate/v1alpha1/Crate.java"))
                .contains("@Version(value = \"v1alpha1\", storage = false)", "@Converted");
        passes(folder, 10);
    }

    @Test
    void compiles_without_a_kind_and_with_kinds_of_awkward_names_in_several_groups() throws Exception {
        Folder folder = started("1-2.in", "a");
        compile(folder, Files.createDirectories(temporary.resolve("empty")));
        folder.scaffold().edit(true, true, true);
        folder.scaffold().createApi(api("new", "v1", "Class", true));
        folder.scaffold().createApi(api("new", "v1", "A1", false));
        folder.scaffold().createApi(api("", "v1", "Class", false));
        folder.scaffold().createApi(new ApiRequest("sea.2", "v1", "MyKind", "irregular", false, true, false, false));
        folder.scaffold().createApi(api("sea.2", "v1", "Process", true));
        for (String kind : List.of("Class", "A1")) {
            folder.scaffold().createWebhook(new WebhookRequest("new", "v1", kind, true, true, false, List.of(), false));
        }

        compile(folder, Files.createDirectories(temporary.resolve("classes")));
    }

    @Test
    void tells_in_its_definitions_what_each_field_is_for() throws Exception {
        Folder folder = started("example.com", "shop");
        folder.scaffold().createApi(api("shop", "v1", "Crate", true));
        Path classes = Files.createDirectories(temporary.resolve("classes"));
        compile(folder, classes);

        JSONSchemaProps kind = schema(classes, "com.example.shop.crate.v1.Crate");

        assertThat(kind.getDescription()).isEqualTo("A Crate, as it is in version v1.");
        assertThat(kind.getProperties().keySet()).containsExactlyInAnyOrder("spec", "status");
        kind.getProperties().forEach((part, schema) -> {
            assertThat(schema.getDescription()).as(part).isNotBlank();
            assertThat(schema.getProperties())
                    .as(part)
                    .isNotEmpty()
                    .allSatisfy((field, type) -> assertThat(type.getDescription())
                            .as(part + "." + field)
                            .isNotBlank());
        });
        assertThat(kind.getProperties().get("spec").getProperties().get("size").getDescription())
                .contains("your own");
    }

    private static JSONSchemaProps schema(Path classes, String kind) throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            @SuppressWarnings("unchecked") // that which is made is one
            Class<? extends CustomResource<?, ?>> type = (Class<? extends CustomResource<?, ?>>)
                    loader.loadClass(kind).asSubclass(CustomResource.class);
            return CrdGenerator.generate(type)
                    .getSpec()
                    .getVersions()
                    .get(0)
                    .getSchema()
                    .getOpenAPIV3Schema();
        }
    }

    private Folder started(String domain, String name) throws IOException {
        Folder folder = new Folder(temporary.resolve(name));
        folder.scaffold().init(domain, null, null, false);
        return folder;
    }

    private static ApiRequest api(String group, String version, String kind, boolean namespaced) {
        return new ApiRequest(group, version, kind, null, namespaced, true, null, false);
    }

    /** With the annotation processor that its pom names. */
    private static void compile(Folder folder, Path classes) throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "-classpath", CLASS_PATH, "--release", "17", "-Werror", "-Xlint:all,-processing,-serial,-classfile"));
        options.addAll(
                folder.text("pom.xml").contains("<artifactId>therapi-runtime-javadoc-scribe</artifactId>")
                        ? List.of("-processor", "com.github.therapi.runtimejavadoc.scribe.JavadocAnnotationProcessor")
                        : List.of("-proc:none"));
        List<Path> sources;
        try (Stream<Path> paths = Files.walk(folder.root().resolve("src"))) {
            sources = paths.filter(path -> path.toString().endsWith(".java")).toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
            StringWriter problems = new StringWriter();
            boolean compiled = compiler.getTask(
                            problems, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as(problems.toString()).isTrue();
        }
    }

    private void passes(Folder folder, int tests) throws IOException {
        Path classes = Files.createDirectories(temporary.resolve("classes"));
        compile(folder, classes);
        copyResources(folder.root().resolve("src/main/resources"), classes);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            LauncherDiscoveryRequest all = LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectClasspathRoots(Set.of(classes)))
                    .build();
            Launcher launcher = LauncherFactory.create();
            SummaryGeneratingListener summary = new SummaryGeneratingListener();
            launcher.execute(all, summary);
            assertThat(summary.getSummary().getFailures().stream()
                            .map(failure -> failure.getTestIdentifier().getDisplayName() + ": "
                                    + Optional.ofNullable(failure.getException())
                                            .map(Throwable::toString))
                            .collect(Collectors.joining("\n")))
                    .isEmpty();
            assertThat(summary.getSummary().getTestsSucceededCount()).isEqualTo(tests);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** As Maven does. */
    private static void copyResources(Path from, Path to) throws IOException {
        List<Path> files;
        try (Stream<Path> paths = Files.walk(from)) {
            files = paths.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            Path target = to.resolve(from.relativize(file).toString());
            Files.createDirectories(target.getParent());
            Files.writeString(target, Files.readString(file).replace("${project.version}", "0.1.0"));
        }
    }
}
