package io.busbar.scaffold.files;

import io.busbar.scaffold.project.Project;
import io.busbar.scaffold.project.ProjectResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the one Java file of a project that grows with PROJECT: the bundle that puts its kinds, controllers and
 * webhooks together.
 *
 * <p>For one file; one thread. Classes of the project are imported, but for those that share a name, as versions of a
 * kind do: they stand there with their packages.
 */
final class BundleSource {

    private final Project project;
    private final Set<String> imports = new TreeSet<>();
    /** Names, without their packages, of classes of the project, and how many have each. */
    private final Map<String, Long> simpleNames;

    private BundleSource(Project project) {
        this.project = project;
        this.simpleNames = project.resources().stream()
                .flatMap(BundleSource::classes)
                .distinct()
                .collect(Collectors.groupingBy(BundleSource::simpleName, Collectors.counting()));
    }

    static String of(Project project) {
        return new BundleSource(project).source();
    }

    private String source() {
        imports("io.busbar.reconciler.Controller", "java.util.List");
        imports("io.busbar.runtime.bundle.Bundle", "io.busbar.runtime.bundle.BundleContext");
        String members = controllers() + webhooks() + conversions() + extras();
        return """
                package %s;

                %s
                /** All that runs in this operator. Made from PROJECT: edits are lost. */
                public final class %s implements Bundle {

                    @Override
                    public String name() {
                        return "%s";
                    }
                %s}
                """.formatted(
                        project.repo(),
                        imports.stream().map(name -> "import " + name + ";\n").collect(Collectors.joining()),
                        project.bundleName(),
                        project.name(),
                        members);
    }

    private String controllers() {
        return method(
                "List<Controller<?>> controllers(BundleContext context)",
                list(controlled().map(resource -> named(reconciler(resource)) + ".controller(context)")));
    }

    private String webhooks() {
        List<String> webhooks = new ArrayList<>();
        for (ProjectResource resource : project.resources()) {
            if (resource.webhooks().defaulting()) {
                webhooks.add(webhook(resource, "defaulting", "Defaulter"));
            }
            if (resource.webhooks().validation()) {
                webhooks.add(webhook(resource, "validating", "Validator"));
            }
        }
        if (webhooks.isEmpty()) {
            return "";
        }
        imports("io.busbar.runtime.bundle.Webhook");
        return method("List<Webhook> webhooks(BundleContext context)", list(webhooks.stream()));
    }

    private String webhook(ProjectResource resource, String rule, String suffix) {
        String type = type(resource);
        return "Webhook." + rule + "(" + named(type) + ".class, new " + named(type + suffix) + "())";
    }

    private String conversions() {
        List<String> hubs = project.resources().stream()
                .filter(resource -> resource.webhooks().conversion())
                .map(this::versions)
                .toList();
        if (hubs.isEmpty()) {
            return "";
        }
        imports("io.busbar.admission.conversion.Versions");
        return method("List<Versions<?>> conversions()", list(hubs.stream()));
    }

    private String versions(ProjectResource hub) {
        return "Versions.hub(" + named(type(hub)) + ".class)"
                + project.versionsOf(hub).stream()
                        .filter(one -> hub.webhooks().spokes().contains(one.version()))
                        .map(spoke -> ".spoke(" + named(type(spoke)) + ".class, new " + named(type(spoke) + "Converter")
                                + "())")
                        .collect(Collectors.joining());
    }

    /** What reconcilers may do beside what follows from their controllers, and kinds that nothing else here names. */
    private String extras() {
        List<String> extras = new ArrayList<>();
        controlled().forEach(resource -> extras.add(".allowing(" + named(reconciler(resource)) + ".permissions())"));
        project.resources().stream()
                .filter(resource -> !isNamed(resource))
                .forEach(resource -> extras.add(".defining(" + named(type(resource)) + ".class)"));
        if (extras.isEmpty()) {
            return "";
        }
        imports("io.busbar.runtime.bundle.Extras");
        String indent = "\n" + " ".repeat(16);
        return method("Extras extras(BundleContext context)", "Extras.none()" + indent + String.join(indent, extras));
    }

    /** Whether it is the primary of a controller, or a version that is converted. */
    private boolean isNamed(ProjectResource resource) {
        ProjectResource stored = project.stored(resource);
        boolean controlled = project.versionsOf(resource).stream().anyMatch(ProjectResource::controller);
        return (controlled && stored.isSame(resource))
                || resource.webhooks().conversion()
                || project.isConverted(resource);
    }

    private Stream<ProjectResource> controlled() {
        return project.resources().stream().filter(ProjectResource::controller);
    }

    private static String type(ProjectResource resource) {
        return resource.path() + "." + resource.kind();
    }

    private static String reconciler(ProjectResource resource) {
        return resource.kindPackage() + "." + resource.kind() + "Reconciler";
    }

    /** All that a version of a kind may have in this file. */
    private static Stream<String> classes(ProjectResource resource) {
        String type = type(resource);
        return Stream.of(type, type + "Defaulter", type + "Validator", type + "Converter", reconciler(resource));
    }

    /** As a class stands in the file: without its package, which is imported, unless another has the same name. */
    private String named(String javaClass) {
        String simple = simpleName(javaClass);
        if (simpleNames.getOrDefault(simple, 1L) > 1) {
            return javaClass;
        }
        imports(javaClass);
        return simple;
    }

    private static String simpleName(String javaClass) {
        return javaClass.substring(javaClass.lastIndexOf('.') + 1);
    }

    private static String method(String signature, String result) {
        return "\n    @Override\n    public " + signature + " {\n        return " + result + ";\n    }\n";
    }

    /** Each on a line of its own. */
    private static String list(Stream<String> items) {
        String indent = "\n" + " ".repeat(16);
        String joined = items.collect(Collectors.joining("," + indent));
        return joined.isEmpty() ? "List.of()" : "List.of(" + indent + joined + ")";
    }

    private void imports(String... names) {
        imports.addAll(List.of(names));
    }
}
