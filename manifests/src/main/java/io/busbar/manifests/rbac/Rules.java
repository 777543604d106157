package io.busbar.manifests.rbac;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toList;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The shortest list of rules that says the same as many permissions: one verb list for each resource or path, one rule
 * for resources that share group, names and verbs, and one for paths that share verbs.
 *
 * <p>Immutable. Sorted by group, then resources, and paths last: equal for equal permissions in any order.
 */
final class Rules {

    /** One resource in one group, for all objects or for named ones. */
    private record Target(String group, List<String> names, String resource) {

        static final Comparator<Target> ORDER = Comparator.comparing(Target::group)
                .thenComparing(Target::resource)
                .thenComparing(target -> String.join(",", target.names()));
    }

    /** What the resources of one rule have in common. */
    private record Common(String group, List<String> names, List<String> verbs) {}

    private Rules() {}

    static List<PolicyRule> of(Collection<Permission> permissions) {
        Map<Target, TreeSet<String>> verbs = new TreeMap<>(Target.ORDER);
        for (Permission permission : permissions) {
            List<String> names = permission.names().stream().sorted().toList();
            for (String resource : permission.resources()) {
                verbs.computeIfAbsent(new Target(permission.group(), names, resource), target -> new TreeSet<>())
                        .addAll(permission.verbs());
            }
        }
        Map<Common, TreeSet<String>> resources = verbs.entrySet().stream()
                .collect(groupingBy(
                        entry -> new Common(
                                entry.getKey().group(), entry.getKey().names(), List.copyOf(entry.getValue())),
                        LinkedHashMap::new,
                        mapping(entry -> entry.getKey().resource(), toCollection(TreeSet::new))));
        return Stream.concat(
                        resources.entrySet().stream().map(entry -> rule(entry.getKey(), List.copyOf(entry.getValue()))),
                        ofPaths(permissions))
                .toList();
    }

    private static Stream<PolicyRule> ofPaths(Collection<Permission> permissions) {
        Map<String, TreeSet<String>> verbs = new TreeMap<>();
        permissions.forEach(permission -> permission
                .paths()
                .forEach(path ->
                        verbs.computeIfAbsent(path, none -> new TreeSet<>()).addAll(permission.verbs())));
        Map<List<String>, List<String>> paths = verbs.entrySet().stream()
                .collect(groupingBy(
                        entry -> List.copyOf(entry.getValue()),
                        LinkedHashMap::new,
                        mapping(Map.Entry::getKey, toList())));
        return paths.entrySet().stream()
                .map(entry -> new PolicyRuleBuilder()
                        .withNonResourceURLs(entry.getValue())
                        .withVerbs(entry.getKey())
                        .build());
    }

    private static PolicyRule rule(Common common, List<String> resources) {
        return new PolicyRuleBuilder()
                .withApiGroups(common.group())
                .withResources(resources)
                .withResourceNames(common.names())
                .withVerbs(common.verbs())
                .build();
    }
}
