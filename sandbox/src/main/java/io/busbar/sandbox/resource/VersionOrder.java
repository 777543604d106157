package io.busbar.sandbox.resource;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Orders versions as Kubernetes prefers them: v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, foo.
 *
 * <p>Immutable. The first is the one to prefer. From apimachinery's {@code version.CompareKubeAwareVersionStrings}.
 */
public enum VersionOrder implements Comparator<String> {
    PREFERRED_FIRST;

    private static final Pattern KUBE_LIKE = Pattern.compile("v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?");

    @Override
    public int compare(String left, String right) {
        Matcher a = KUBE_LIKE.matcher(left);
        Matcher b = KUBE_LIKE.matcher(right);
        boolean known = a.matches();
        if (known != b.matches()) {
            return known ? -1 : 1;
        }
        if (!known) {
            return left.compareTo(right);
        }
        int stability = Integer.compare(stability(b), stability(a));
        int major = Long.compare(Long.parseLong(b.group(1)), Long.parseLong(a.group(1)));
        if (stability != 0) {
            return stability;
        }
        return major != 0 || a.group(3) == null
                ? major
                : Long.compare(Long.parseLong(b.group(3)), Long.parseLong(a.group(3)));
    }

    private static int stability(Matcher version) {
        return version.group(2) == null ? 2 : version.group(2).equals("beta") ? 1 : 0;
    }
}
