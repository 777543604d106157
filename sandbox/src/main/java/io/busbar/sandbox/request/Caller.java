package io.busbar.sandbox.request;

import java.util.List;
import java.util.Map;

/**
 * Who asks, as webhooks are told.
 *
 * <p>Immutable.
 *
 * @param uid empty for none
 * @param extra more that is known, such as the Pod that a token was made for
 */
public record Caller(String username, String uid, List<String> groups, Map<String, List<String>> extra) {

    private static final String AUTHENTICATED = "system:authenticated";

    public Caller(String username, String uid, List<String> groups) {
        this(username, uid, groups, Map.of());
    }

    /** Who may do everything. */
    public static Caller master(String name) {
        return new Caller(name, "", List.of("system:masters", AUTHENTICATED));
    }

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
