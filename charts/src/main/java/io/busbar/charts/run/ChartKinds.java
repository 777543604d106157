package io.busbar.charts.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.charts.render.ChartFolder;
import io.busbar.charts.render.ChartFolder.LookedUp;
import io.busbar.charts.render.Hook;
import io.busbar.charts.render.Rendering;
import io.busbar.common.ResourceType;
import io.busbar.manifests.rbac.Permission;
import io.fabric8.kubernetes.api.Pluralize;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The kinds that a chart makes, as far as that is known before anybody asks for an instance: those of a rendering with
 * the chart's own values, and those that its templates name plainly. Immutable.
 *
 * @param watched built in, and in namespaces: an instance owns them
 * @param permissions on those that are made and not watched, or are looked up, and those that its roles give
 * @param summingUp names of ClusterRoles that allow what others do: whoever makes one must be allowed everything, or to
 *     {@code escalate} it, which is as much. That is for a user to give
 */
record ChartKinds(Set<ResourceType> watched, List<Permission> permissions, Set<String> summingUp) {

    /** How kinds that a template names are served: the API version there may be of a cluster of long ago. */
    private static final Map<String, String> USUAL = Map.ofEntries(
            Map.entry("ConfigMap", "v1"),
            Map.entry("Secret", "v1"),
            Map.entry("Service", "v1"),
            Map.entry("ServiceAccount", "v1"),
            Map.entry("PersistentVolumeClaim", "v1"),
            Map.entry("Pod", "v1"),
            Map.entry("Deployment", "apps/v1"),
            Map.entry("StatefulSet", "apps/v1"),
            Map.entry("DaemonSet", "apps/v1"),
            Map.entry("Job", "batch/v1"),
            Map.entry("CronJob", "batch/v1"),
            Map.entry("Ingress", "networking.k8s.io/v1"),
            Map.entry("NetworkPolicy", "networking.k8s.io/v1"),
            Map.entry("HorizontalPodAutoscaler", "autoscaling/v2"),
            Map.entry("PodDisruptionBudget", "policy/v1"),
            Map.entry("Role", "rbac.authorization.k8s.io/v1"),
            Map.entry("RoleBinding", "rbac.authorization.k8s.io/v1"));

    private static final Pattern KIND = Pattern.compile("(?m)^kind:\\s*[\"']?([A-Z][A-Za-z]+)[\"']?\\s*$");
    /** Whose kinds each cluster serves. The client has models of others, too. */
    private static final Set<String> BUILT_IN = Set.of(
            "",
            "apps",
            "autoscaling",
            "batch",
            "policy",
            "admissionregistration.k8s.io",
            "apiextensions.k8s.io",
            "coordination.k8s.io",
            "networking.k8s.io",
            "rbac.authorization.k8s.io",
            "scheduling.k8s.io",
            "storage.k8s.io");

    /** The name of the release in a rendering that is for none. */
    static final String ANY_RELEASE = "release-name";

    /** Its namespace, which has that name in it: what depends on either is known by the one. */
    static final String ANY_NAMESPACE = ANY_RELEASE + "space";

    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final Pattern STABLE = Pattern.compile("v[0-9]+");

    ChartKinds {
        watched = Set.copyOf(watched);
        permissions = List.copyOf(permissions);
        summingUp = Set.copyOf(summingUp);
    }

    /**
     * Looks at a chart.
     *
     * @param rendering with its own values; empty where it does not render with these
     */
    static ChartKinds of(ChartFolder chart, Optional<Rendering> rendering, KubernetesSerialization models) {
        Set<ResourceType> watched = new LinkedHashSet<>();
        List<Permission> permissions = new ArrayList<>();
        List<ObjectNode> made = rendering.stream()
                .flatMap(all -> Stream.concat(
                        all.objects().stream(), all.hooks().stream().map(Hook::object)))
                .toList();
        for (ObjectNode object : made) {
            String apiVersion = object.path("apiVersion").asText();
            String kind = object.path("kind").asText();
            Optional<ResourceType> model = model(apiVersion, kind, models);
            if (model.isPresent() && model.get().namespaced()) {
                watched.add(model.get());
            } else {
                permissions.add(Permission.of(
                        group(apiVersion),
                        List.of(model.map(ResourceType::plural).orElseGet(() -> plural(kind))),
                        "get",
                        "create",
                        "patch",
                        "delete"));
            }
            if (kind.equals("Role") || kind.equals("ClusterRole")) {
                object.path("rules").forEach(rule -> permissions.addAll(given(rule)));
            }
        }
        permissions.addAll(toBind(made));
        chart.lookedUp().forEach(kind -> permissions.add(toLookUp(kind, models)));
        chart.templates().stream()
                .flatMap(template -> Stream.of(template.split("(?m)^---")))
                .forEach(document -> named(document, models).ifPresent(watched::add));
        return new ChartKinds(
                watched,
                permissions,
                made.stream().filter(ChartKinds::sumsUp).map(ChartKinds::nameOf).collect(Collectors.toSet()));
    }

    private static Permission toLookUp(LookedUp kind, KubernetesSerialization models) {
        Optional<ResourceType> model = model(kind.apiVersion(), kind.kind(), models);
        Permission permission = Permission.of(
                group(kind.apiVersion()),
                List.of(model.map(ResourceType::plural).orElseGet(() -> plural(kind.kind()))),
                kind.lists() ? new String[] {"get", "list"} : new String[] {"get"});
        return model.filter(ResourceType::namespaced).isPresent() ? permission.inNamespaces() : permission;
    }

    /** Whether a role allows what others do. Without selectors it does not. */
    private static boolean sumsUp(JsonNode object) {
        return object.path("kind").asText().equals("ClusterRole")
                && !object.at("/aggregationRule/clusterRoleSelectors").isEmpty();
    }

    private static String nameOf(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    /**
     * Whoever binds a role must be allowed what it allows, or to bind it. The first is so of roles that the chart makes
     * itself, but for those that sum up others; what others allow is not known. Nor is the name of one that depends on
     * the release.
     */
    private static List<Permission> toBind(List<ObjectNode> made) {
        Set<String> own = made.stream()
                .filter(object -> !sumsUp(object))
                .map(object -> object.path("kind").asText() + " " + nameOf(object))
                .collect(Collectors.toSet());
        return made.stream()
                .filter(object -> object.path("kind").asText().endsWith("RoleBinding"))
                .map(object -> object.path("roleRef"))
                .filter(role -> !own.contains(
                        role.path("kind").asText() + " " + role.path("name").asText()))
                .filter(role -> !role.path("name").asText().contains(ANY_RELEASE))
                .map(role -> Permission.of(
                                RBAC, List.of(plural(role.path("kind").asText())), "bind")
                        .named(role.path("name").asText()))
                .distinct()
                .toList();
    }

    /** Whoever makes a role must be allowed what it allows. */
    private static List<Permission> given(JsonNode rule) {
        List<String> resources = texts(rule.path("resources"));
        List<String> paths = texts(rule.path("nonResourceURLs"));
        List<String> verbs = texts(rule.path("verbs"));
        if (!paths.isEmpty() && !verbs.isEmpty()) {
            return List.of(Permission.atPaths(paths, verbs.toArray(String[]::new)));
        }
        if (resources.isEmpty() || verbs.isEmpty()) {
            return List.of();
        }
        return texts(rule.path("apiGroups")).stream()
                .map(group -> Permission.of(group, resources, verbs.toArray(String[]::new))
                        .named(texts(rule.path("resourceNames")).toArray(String[]::new)))
                .toList();
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private static Optional<ResourceType> named(String document, KubernetesSerialization models) {
        Matcher kind = KIND.matcher(document);
        if (!kind.find()) {
            return Optional.empty();
        }
        return model(USUAL.getOrDefault(kind.group(1), ""), kind.group(1), models);
    }

    /** Built-in kinds that each cluster serves, by the client's models. */
    static Optional<ResourceType> model(String apiVersion, String kind, KubernetesSerialization models) {
        Class<? extends KubernetesResource> type = models.getRegisteredKubernetesResource(apiVersion, kind);
        return type == null || !HasMetadata.class.isAssignableFrom(type)
                ? Optional.empty()
                : Optional.of(ResourceType.of(type.asSubclass(HasMetadata.class)))
                        .filter(known -> BUILT_IN.contains(known.group())
                                && STABLE.matcher(known.version()).matches());
    }

    private static String group(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    private static String plural(String kind) {
        return Pluralize.toPlural(kind.toLowerCase(Locale.ROOT));
    }
}
