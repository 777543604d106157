package io.busbar.manifests;

import io.busbar.common.ResourceType;
import io.busbar.manifests.crd.Converted;
import io.busbar.manifests.rbac.Permission;
import io.busbar.manifests.webhook.WebhookManifest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one of the controllers in an operator brings along and needs.
 *
 * <p>Immutable.
 *
 * @param name by which users choose it, in {@code --operators} too
 * @param types the kinds that it defines
 * @param definitions of kinds that it defines and no class describes
 * @param accounts ServiceAccounts in the operator's own namespace with whose rights its controllers work, by their names:
 *     what these may do in the whole cluster
 * @param permissions of the operator's own account, in the whole cluster or in the namespaces that the operator watches
 * @param ownNamespace permissions in the operator's own namespace
 * @param webhooks in the order in which the API server is to call them
 * @param samples for people to start from
 * @param eventSources to which changes may be posted, by their addresses
 * @param related kinds whose objects its controllers make or look at, by the name of the definition of the kind for
 *     which they do
 * @param images that its Pods may run, by a name for each
 * @param alerts of Prometheus about what it measures, as a list in YAML with the words of a template; empty for none
 * @param graphs of Grafana about the same, as a list in YAML; empty for none
 */
public record OperatorPart(
        String name,
        List<Class<? extends CustomResource<?, ?>>> types,
        List<CustomResourceDefinition> definitions,
        Map<String, List<Permission>> accounts,
        List<Permission> permissions,
        List<Permission> ownNamespace,
        List<WebhookManifest> webhooks,
        List<Sample> samples,
        List<String> eventSources,
        Map<String, List<ResourceType>> related,
        Map<String, String> images,
        String alerts,
        String graphs) {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

    public OperatorPart {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name of a part of an operator: " + name + ", allowed: " + NAME);
        }
        types = List.copyOf(types);
        definitions = List.copyOf(definitions);
        accounts = Map.copyOf(accounts);
        permissions = List.copyOf(permissions);
        ownNamespace = List.copyOf(ownNamespace);
        webhooks = List.copyOf(webhooks);
        samples = List.copyOf(samples);
        eventSources = List.copyOf(eventSources);
        related = Map.copyOf(related);
        images = Map.copyOf(images);
    }

    /** One to which nothing is posted, and of whose objects nothing is told. */
    public OperatorPart(
            String name,
            List<Class<? extends CustomResource<?, ?>>> types,
            List<Permission> permissions,
            List<Permission> ownNamespace,
            List<WebhookManifest> webhooks,
            List<Sample> samples) {
        this(
                name,
                types,
                List.of(),
                Map.of(),
                permissions,
                ownNamespace,
                webhooks,
                samples,
                List.of(),
                Map.of(),
                Map.of(),
                "",
                "");
    }

    /** The kinds that it defines, each in each of its versions. */
    public List<ResourceType> kinds() {
        return Stream.concat(types.stream().map(ResourceType::of), kinds(definitions))
                .toList();
    }

    /** The kinds of definitions, each in each of its versions. */
    public static Stream<ResourceType> kinds(List<CustomResourceDefinition> definitions) {
        return definitions.stream().map(CustomResourceDefinition::getSpec).flatMap(OperatorPart::versions);
    }

    private static Stream<ResourceType> versions(CustomResourceDefinitionSpec spec) {
        return spec.getVersions().stream()
                .map(version -> new ResourceType(
                        spec.getGroup(),
                        version.getName(),
                        spec.getNames().getKind(),
                        spec.getNames().getPlural(),
                        spec.getScope().equals("Namespaced")));
    }

    /** Names of the definitions of its kinds with versions that the operator's webhook converts. */
    SortedSet<String> converted() {
        return types.stream()
                .filter(type -> type.isAnnotationPresent(Converted.class))
                .<String>map(HasMetadata::getFullResourceName)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
