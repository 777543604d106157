package io.busbar.scaffold.files;

import io.busbar.scaffold.files.ScaffoldFile.Owner;
import io.busbar.scaffold.project.Project;
import io.busbar.scaffold.project.ProjectResource;
import io.busbar.scaffold.project.ProjectResource.Api;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Makes a project of the templates in the jar.
 *
 * <p>Immutable. What grows with PROJECT is in one file, which is the scaffold's: {@link BundleSource}. All else is
 * people's.
 */
record TemplateEdition(String version) implements Edition {

    private static final String MAIN = "src/main/java/";
    private static final String RESOURCES = "src/main/resources/";
    private static final String TEST = "src/test/java/";

    @Override
    public List<ScaffoldFile> files(Project project) {
        List<ScaffoldFile> files = new ArrayList<>();
        Map<String, String> words = words(project);
        String main = MAIN + folder(project.repo());
        String test = TEST + folder(project.repo());
        add(files, "project/pom.xml", "pom.xml", words, Set.of());
        add(files, "project/gitignore", ".gitignore", words, Set.of());
        add(files, "project/README.md", "README.md", words, Set.of());
        add(files, "project/AGENTS.md", "AGENTS.md", words, Set.of());
        add(files, "project/ci.yml", ".github/workflows/ci.yml", words, Set.of());
        add(
                files,
                "project/operator.properties",
                RESOURCES + folder(project.repo()) + "operator.properties",
                words,
                Set.of());
        add(files, "project/Operator.java", main + project.className() + "Operator.java", words, Set.of());
        add(files, "project/ManifestsTest.java", test + project.className() + "ManifestsTest.java", words, Set.of());
        files.add(new ScaffoldFile(main + project.bundleName() + ".java", BundleSource.of(project), Owner.SCAFFOLD));
        project.resources().forEach(resource -> files.addAll(files(project, resource)));
        return List.copyOf(files);
    }

    private List<ScaffoldFile> files(Project project, ProjectResource resource) {
        List<ScaffoldFile> files = new ArrayList<>();
        Map<String, String> words = words(project, resource);
        Set<String> flags = flags(project, resource);
        String types = folder(resource.path()) + resource.kind();
        add(files, "api/Kind.java", MAIN + types + ".java", words, flags);
        add(files, "api/KindSpec.java", MAIN + types + "Spec.java", words, flags);
        add(files, "api/KindStatus.java", MAIN + types + "Status.java", words, flags);
        add(files, "api/sample.yaml", RESOURCES + folder(project.repo()) + sample(resource), words, flags);
        if (resource.controller()) {
            String controller = folder(resource.kindPackage()) + resource.kind();
            add(files, "controller/KindReconciler.java", MAIN + controller + "Reconciler.java", words, flags);
            add(files, "controller/KindReconcilerTest.java", TEST + controller + "ReconcilerTest.java", words, flags);
            add(files, "controller/KindOperatorTest.java", TEST + controller + "OperatorTest.java", words, flags);
        }
        if (resource.webhooks().defaulting()) {
            add(files, "webhook/KindDefaulter.java", MAIN + types + "Defaulter.java", words, flags);
            add(files, "webhook/KindDefaulterTest.java", TEST + types + "DefaulterTest.java", words, flags);
        }
        if (resource.webhooks().validation()) {
            add(files, "webhook/KindValidator.java", MAIN + types + "Validator.java", words, flags);
            add(files, "webhook/KindValidatorTest.java", TEST + types + "ValidatorTest.java", words, flags);
        }
        if (project.isConverted(resource)) {
            add(files, "conversion/KindConverter.java", MAIN + types + "Converter.java", words, flags);
            add(files, "conversion/KindConverterTest.java", TEST + types + "ConverterTest.java", words, flags);
        }
        return files;
    }

    /** Beside the bundle: {@code samples/shop_v1_crate.yaml}. */
    static String sample(ProjectResource resource) {
        String group = resource.group().isEmpty() ? resource.domain() : resource.group();
        return "samples/" + group.split("\\.", 2)[0] + "_" + resource.version() + "_"
                + resource.kind().toLowerCase(Locale.ROOT) + ".yaml";
    }

    private Map<String, String> words(Project project) {
        Map<String, String> words = new HashMap<>();
        words.put("busbar", version);
        words.put("name", project.name());
        words.put("repo", project.repo());
        words.put("domain", project.domain());
        words.put("Name", project.className());
        return words;
    }

    private Map<String, String> words(Project project, ProjectResource resource) {
        Map<String, String> words = words(project);
        words.put("Kind", resource.kind());
        words.put("kind", resource.variable());
        words.put("lower", resource.kind().toLowerCase(Locale.ROOT));
        words.put("plural", resource.plural());
        words.put("group", resource.qualifiedGroup());
        words.put("version", resource.version());
        words.put("types", resource.path());
        words.put("controllers", resource.kindPackage());
        words.put("hub", project.stored(resource).path() + "." + resource.kind());
        words.put("stored", project.stored(resource).path());
        words.put("hubVersion", project.stored(resource).version());
        words.put("sample", sample(resource));
        return words;
    }

    private static Set<String> flags(Project project, ProjectResource resource) {
        Set<String> flags = new HashSet<>();
        hold(flags, "namespaced", resource.api() == Api.NAMESPACED);
        hold(flags, "stored", project.stored(resource).isSame(resource));
        hold(flags, "converted", project.isConverted(resource));
        hold(flags, "irregular", !resource.hasRegularPlural());
        return flags;
    }

    private static void hold(Set<String> flags, String flag, boolean holds) {
        if (holds) {
            flags.add(flag);
        }
    }

    private static String folder(String javaPackage) {
        return javaPackage.replace('.', '/') + "/";
    }

    private static void add(
            List<ScaffoldFile> files, String template, String path, Map<String, String> words, Set<String> flags) {
        files.add(new ScaffoldFile(path, Template.named(template).fill(words, flags), Owner.PEOPLE));
    }
}
