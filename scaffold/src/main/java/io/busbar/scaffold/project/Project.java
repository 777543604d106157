package io.busbar.scaffold.project;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a file PROJECT says: all that a scaffold is made of.
 *
 * <p>Immutable, but for the trees of foreign plugins, which nobody changes; methods return a changed copy.
 *
 * @param domain of its groups
 * @param name of what it is installed as, and of the Maven artifact
 * @param repo the Java package, and the Maven group
 * @param cliVersion the edition of the scaffold that it was last made with
 * @param multigroup whether kinds may be of several groups; each then has packages of its own
 * @param chart whether {@code manifests} writes a Helm chart
 * @param bundle whether it writes a bundle for the Operator Lifecycle Manager
 * @param resources in the order in which they were added
 * @param plugins what other tools keep there, by their keys
 */
public record Project(
        String domain,
        String name,
        String repo,
        String cliVersion,
        boolean multigroup,
        boolean chart,
        boolean bundle,
        List<ProjectResource> resources,
        SortedMap<String, JsonNode> plugins) {

    public Project {
        resources = List.copyOf(resources);
        plugins = new TreeMap<>(plugins);
    }

    /** One that has no kinds yet. */
    public static Project of(String domain, String name, String repo, String cliVersion) {
        return new Project(domain, name, repo, cliVersion, false, false, false, List.of(), new TreeMap<>());
    }

    public Project with(String edition) {
        return new Project(domain, name, repo, edition, multigroup, chart, bundle, resources, plugins);
    }

    public Project withOptions(boolean severalGroups, boolean withChart, boolean withBundle) {
        return new Project(domain, name, repo, cliVersion, severalGroups, withChart, withBundle, resources, plugins);
    }

    /** With one more version of a kind, or in place of the same that is there. */
    public Project with(ProjectResource resource) {
        List<ProjectResource> all = new ArrayList<>(resources);
        int at = 0;
        while (at < all.size() && !all.get(at).isSame(resource)) {
            at++;
        }
        if (at < all.size()) {
            all.set(at, resource);
        } else {
            all.add(resource);
        }
        return new Project(domain, name, repo, cliVersion, multigroup, chart, bundle, all, plugins);
    }

    public Optional<ProjectResource> find(String group, String version, String kind) {
        return resources.stream()
                .filter(one -> one.group().equals(group)
                        && one.version().equals(version)
                        && one.kind().equals(kind))
                .findFirst();
    }

    /** All versions of a kind, in their order. */
    public List<ProjectResource> versionsOf(ProjectResource resource) {
        return resources.stream().filter(resource::isVersionOf).toList();
    }

    /** The version in which objects are stored: the hub, else the first. */
    public ProjectResource stored(ProjectResource resource) {
        List<ProjectResource> versions = versionsOf(resource);
        return versions.stream()
                .filter(one -> one.webhooks().conversion())
                .findFirst()
                .orElse(versions.isEmpty() ? resource : versions.get(0));
    }

    /** Whether a version is a spoke of its kind's hub. */
    public boolean isConverted(ProjectResource resource) {
        return versionsOf(resource).stream()
                .anyMatch(one -> one.webhooks().spokes().contains(resource.version()));
    }

    /** What names of classes begin with: {@code flower-shop-operator} gives {@code FlowerShop}. */
    public String className() {
        String words = name.endsWith("-operator") ? name.substring(0, name.length() - "-operator".length()) : name;
        return Arrays.stream(words.split("-+"))
                .filter(word -> !word.isEmpty())
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
    }

    /** The class that puts all kinds together. */
    public String bundleName() {
        return className() + "Bundle";
    }

    @Override
    public SortedMap<String, JsonNode> plugins() {
        return new TreeMap<>(plugins);
    }
}
