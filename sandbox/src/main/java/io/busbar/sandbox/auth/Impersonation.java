package io.busbar.sandbox.auth;

import io.busbar.sandbox.rbac.AccessRequest;
import io.busbar.sandbox.rbac.Authorizer;
import io.busbar.sandbox.rbac.Verdict;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.verbs.Caller;
import io.vertx.core.MultiMap;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Lets a caller act as somebody else, by {@code Impersonate-*} headers, as far as it may.
 *
 * <p>One context. The rules of apiserver's {@code WithImpersonation} filter.
 */
public final class Impersonation {

    private static final String EXTRA = "impersonate-extra-";
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final String ANONYMOUS = "system:anonymous";
    private static final String ACCOUNT = "system:serviceaccount:";

    private final Authorizer authorizer;

    public Impersonation(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * Who the caller wants to be, or the caller itself.
     *
     * @throws StatusException 403 when it may not, 500 for headers that name no user
     */
    public Caller apply(Caller caller, MultiMap headers) {
        String user = Optional.ofNullable(headers.get("Impersonate-User")).orElse("");
        List<String> groups = headers.getAll("Impersonate-Group");
        String uid = Optional.ofNullable(headers.get("Impersonate-Uid")).orElse("");
        Map<String, List<String>> extra = extra(headers);
        if (user.isEmpty()) {
            if (!groups.isEmpty() || !uid.isEmpty() || !extra.isEmpty()) {
                throw StatusException.internal("requested an impersonation without impersonating a user");
            }
            return caller;
        }
        List<String> account = account(user);
        if (account.isEmpty()) {
            check(caller, GroupResource.core("users"), "", "", user);
        } else {
            check(caller, GroupResource.core("serviceaccounts"), "", account.get(0), account.get(1));
        }
        groups.forEach(group -> check(caller, GroupResource.core("groups"), "", "", group));
        extra.forEach((key, values) -> values.forEach(
                value -> check(caller, new GroupResource(AUTHENTICATION, "userextras"), key, "", value)));
        if (!uid.isEmpty()) {
            check(caller, new GroupResource(AUTHENTICATION, "uids"), "", "", uid);
        }
        return new Caller(user, uid, groups(user, account, groups), extra);
    }

    private void check(Caller caller, GroupResource resource, String subresource, String namespace, String name) {
        AccessRequest request =
                new AccessRequest("impersonate", resource.group(), resource.plural(), subresource, namespace, name, "");
        Verdict verdict = authorizer.authorize(caller, request);
        if (!verdict.allowed()) {
            throw request.denied(caller, verdict.reason());
        }
    }

    /** Namespace and name; empty for anybody else. */
    private static List<String> account(String user) {
        if (!user.startsWith(ACCOUNT)) {
            return List.of();
        }
        List<String> parts = List.of(user.substring(ACCOUNT.length()).split(":", -1));
        return parts.size() == 2 ? parts : List.of();
    }

    private static List<String> groups(String user, List<String> account, List<String> asked) {
        if (asked.isEmpty() && !account.isEmpty()) {
            return ServiceAccountTokens.groups(account.get(0));
        }
        List<String> groups = new ArrayList<>(asked);
        String implied = user.equals(ANONYMOUS) ? "system:unauthenticated" : "system:authenticated";
        if (!groups.contains("system:unauthenticated") && !groups.contains(implied)) {
            groups.add(implied);
        }
        return List.copyOf(groups);
    }

    private static Map<String, List<String>> extra(MultiMap headers) {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        for (String name : headers.names()) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith(EXTRA)) {
                extra.put(unescaped(lower.substring(EXTRA.length())), List.copyOf(headers.getAll(name)));
            }
        }
        return extra;
    }

    private static String unescaped(String key) {
        try {
            return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEscaped) {
            return key;
        }
    }
}
