package io.busbar.scaffold.files;

import io.busbar.scaffold.project.Project;
import io.busbar.scaffold.project.ProjectResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the one Java file of a project that grows with PROJECT: the bundle that puts its kinds, controllers and webhooks together.
 *
 * <p>For one file; one thread. Classes of the project stand in it with their packages, as versions of a kind have the same name.
 */
final class BundleSource {

    private final Project project;
    private final Set<String> imports = new TreeSet<>();

    private BundleSource(Project project) {
        this.project = project;
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
                list(controlled().map(resource -> reconciler(resource) + ".controller(context)")));
    }

    private String webhooks() {
        List<String> webhooks = new ArrayList<>();
        for (ProjectResource resource : project.resources()) {
            if (resource.webhooks().defaulting()) {
                webhooks.add(webhook(
                        resource,
                        "defaulting",
                        "mutating",
                        "Defaulter",
                        one -> one.webhooks().defaulting()));
            }
            if (resource.webhooks().validation()) {
                webhooks.add(webhook(
                        resource,
                        "validating",
                        "validating",
                        "Validator",
                        one -> one.webhooks().validation()));
            }
        }
        if (webhooks.isEmpty()) {
            return "";
        }
        imports("io.busbar.runtime.bundle.Webhook");
        return method("List<Webhook> webhooks(BundleContext context)", list(webhooks.stream()));
    }

    /** Named by its kind; where others of that name have such a webhook too, by its version and group as well. */
    private String webhook(
            ProjectResource resource, String rule, String manifest, String suffix, Predicate<ProjectResource> has) {
        String type = type(resource);
        String answer = type + ".class, new " + type + suffix + "())";
        boolean alone = project.resources().stream()
                        .filter(has)
                        .filter(one -> one.kind().equalsIgnoreCase(resource.kind()))
                        .count()
                == 1;
        if (alone) {
            return "Webhook." + rule + "(" + answer;
        }
        imports("io.busbar.admission.AdmissionRules", "io.busbar.common.ResourceType");
        imports("io.busbar.manifests.webhook.WebhookManifest", "io.busbar.manifests.webhook.WebhookManifest.Operation");
        String name = manifest.charAt(0) + resource.kind().toLowerCase(Locale.ROOT) + "-" + resource.version() + "."
                + resource.qualifiedGroup();
        return "Webhook.of(WebhookManifest." + manifest + "(\"" + name + "\", ResourceType.of(" + type
                + ".class), Operation.CREATE, Operation.UPDATE), AdmissionRules." + rule + "(" + answer + ")";
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
        return "Versions.hub(" + type(hub) + ".class)"
                + project.versionsOf(hub).stream()
                        .filter(one -> hub.webhooks().spokes().contains(one.version()))
                        .map(spoke -> ".spoke(" + type(spoke) + ".class, new " + type(spoke) + "Converter())")
                        .collect(Collectors.joining());
    }

    /** What reconcilers may do beside what follows from their controllers, and kinds that nothing else here names. */
    private String extras() {
        List<String> extras = new ArrayList<>();
        controlled().forEach(resource -> extras.add(".allowing(" + reconciler(resource) + ".permissions())"));
        project.resources().stream()
                .filter(resource -> !isNamed(resource))
                .forEach(resource -> extras.add(".defining(" + type(resource) + ".class)"));
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
