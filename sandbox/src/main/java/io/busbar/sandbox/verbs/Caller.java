package io.busbar.sandbox.verbs;

import java.util.List;

/**
 * Who asks, as webhooks are told.
 *
 * <p>Immutable.
 */
public record Caller(String username, String uid, List<String> groups) {

    private static final String AUTHENTICATED = "system:authenticated";

    /** A part of the cluster itself. */
    public static Caller system(String name) {
        return new Caller("system:" + name, "", List.of(AUTHENTICATED));
    }

    /** A controller, which has a service account in a real cluster. */
    public static Caller controller(String name) {
        return new Caller(
                "system:serviceaccount:kube-system:" + name,
                "",
                List.of("system:serviceaccounts", "system:serviceaccounts:kube-system", AUTHENTICATED));
    }

    /** The kubelet, which is one for all nodes here. */
    public static Caller node() {
        return new Caller("system:node:sandbox", "", List.of("system:nodes", AUTHENTICATED));
    }
}
