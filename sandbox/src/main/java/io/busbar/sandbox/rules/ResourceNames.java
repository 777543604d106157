package io.busbar.sandbox.rules;

import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names of resources that are known without a domain, and what may be said of each. Immutable. */
public final class ResourceNames {

    /** What containers ask for. */
    public static final Set<String> COMPUTE = Set.of("cpu", "memory", "ephemeral-storage");

    /** Counted without a group and without {@code count/}, for they are older than it. */
    public static final Set<String> COUNTED =
            Set.of("configmaps", "resourcequotas", "replicationcontrollers", "secrets");

    private static final Set<String> WHOLE = union(List.of(
            COUNTED,
            Set.of("pods", "services", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers")));
    private static final Set<String> OF_QUOTAS = union(List.of(
            WHOLE,
            COMPUTE,
            Set.of("requests.storage"),
            COMPUTE.stream()
                    .flatMap(name -> Stream.of("requests." + name, "limits." + name))
                    .collect(Collectors.toSet())));
    private static final Set<String> STANDARD = union(List.of(OF_QUOTAS, Set.of("storage")));

    private ResourceNames() {}

    private static Set<String> union(List<Set<String>> sets) {
        return sets.stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    }

    public static boolean isHugePages(String name) {
        return name.startsWith("hugepages-");
    }

    /** Kubernetes' own, as far as names tell. */
    public static boolean isNative(String name) {
        return !name.contains("/") || name.contains("kubernetes.io/");
    }

    /** A device of somebody's domain, or what is counted. */
    public static boolean isExtended(String name) {
        return !isNative(name)
                && !name.startsWith("requests.")
                && Names.qualifiedName("requests." + name).isEmpty();
    }

    public static boolean isOfQuota(String name) {
        return OF_QUOTAS.contains(name)
                || isHugePages(name)
                || (name.startsWith("requests.") && isHugePages(name.substring("requests.".length())));
    }

    public static boolean isWhole(String name) {
        return WHOLE.contains(name) || isExtended(name);
    }

    /** Whether a limit may be above the request. */
    public static boolean mayBeOvercommitted(String name) {
        return isNative(name) && !isHugePages(name);
    }

    /** What is wrong with any name, told of its amount. */
    public static void check(Place amount, String name) {
        List<String> complaints = Names.qualifiedName(name);
        amount.invalid(GoText.quote(name), complaints);
        if (complaints.isEmpty() && !name.contains("/") && !STANDARD.contains(name) && !isHugePages(name)) {
            amount.invalid(GoText.quote(name), "must be a standard resource type or fully qualified");
        }
    }

    public static void checkOfQuota(Place amount, String name) {
        check(amount, name);
        if (!name.contains("/") && !isOfQuota(name)) {
            amount.invalid(GoText.quote(name), "must be a standard resource for quota");
        }
    }

    public static void checkOfContainer(Place amount, String name) {
        check(amount, name);
        if (!name.contains("/")) {
            if (!COMPUTE.contains(name) && !isHugePages(name)) {
                amount.invalid(GoText.quote(name), "must be a standard resource for containers");
            }
        } else if (!isNative(name) && !isExtended(name)) {
            amount.invalid(GoText.quote(name), "doesn't follow extended resource name standard");
        }
    }
}
