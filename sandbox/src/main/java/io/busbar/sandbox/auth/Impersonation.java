package io.busbar.sandbox.auth;

import io.busbar.sandbox.rbac.Authorizer;
import io.busbar.sandbox.rbac.Verdict;
import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import io.vertx.core.MultiMap;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Lets a caller act as somebody else, by {@code Impersonate-*} headers, as far as it may.
 *
 * <p>Since 1.36 it may in one of several ways, tried in turn: by the right to do this very thing as a user of that
 * sort, together with the right to be that user ("constrained"), or as before by the right to be that user, whatever is
 * done. What it is told is why the first way does not do.
 *
 * <p>One context. The rules of apiserver's {@code WithConstrainedImpersonation} filter.
 */
public final class Impersonation {

    private static final String EXTRA = "impersonate-extra-";
    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final String ANONYMOUS = "system:anonymous";
    private static final String ACCOUNT = "system:serviceaccount:";
    private static final String NODE = "system:node:";
    private static final String NODE_OF_TOKEN = "authentication.kubernetes.io/node-name";
    private static final String UNAUTHENTICATED = "system:unauthenticated";
    /** From so many on, the right to all of them is looked for first. */
    private static final int MANY = 4;

    private final Authorizer authorizer;

    public Impersonation(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    /**
     * Who the caller wants to be, or the caller itself.
     *
     * @param wish what it wants to do as that user
     * @throws StatusException 403 when it may not, 400 for headers that name no user
     */
    public Caller apply(Caller caller, MultiMap headers, AccessRequest wish) {
        Caller wanted = new Caller(
                Optional.ofNullable(headers.get("Impersonate-User")).orElse(""),
                Optional.ofNullable(headers.get("Impersonate-Uid")).orElse(""),
                headers.getAll("Impersonate-Group"),
                extra(headers));
        if (wanted.username().isEmpty()) {
            if (!isOnlyNamed(wanted)) {
                throw StatusException.badRequest("requested " + printed(wanted) + " without impersonating a user name");
            }
            return caller;
        }
        StatusException why = null;
        for (String way : constrained(caller, wanted)) {
            try {
                check(caller, wish.withVerb("impersonate-on:" + way + ":" + wish.verb()));
                return be(caller, wanted, "impersonate:" + way, way.equals("associated-node"));
            } catch (StatusException refused) {
                why = why == null ? refused : why;
            }
        }
        try {
            return be(caller, wanted, "impersonate", false);
        } catch (StatusException refused) {
            throw why == null ? refused : why;
        }
    }

    /** The constrained ways that there are for a sort of user. */
    private static List<String> constrained(Caller caller, Caller wanted) {
        String node = node(wanted.username());
        boolean account = !account(wanted.username()).isEmpty();
        if (node.isEmpty() && !account) {
            return List.of("user-info");
        }
        if (!isOnlyNamed(wanted)) {
            return List.of();
        }
        boolean own = !node.isEmpty()
                && !account(caller.username()).isEmpty()
                && List.of(node).equals(caller.extra().get(NODE_OF_TOKEN));
        return account
                ? List.of("serviceaccount")
                : own ? List.of("associated-node", "arbitrary-node") : List.of("arbitrary-node");
    }

    private Caller be(Caller caller, Caller wanted, String verb, boolean ownNode) {
        boolean constrained = verb.indexOf(':') >= 0;
        GroupResource users = new GroupResource(constrained ? AUTHENTICATION : "", "users");
        GroupResource groups = new GroupResource(users.group(), "groups");
        String node = constrained ? node(wanted.username()) : "";
        List<String> account = account(wanted.username());
        if (!node.isEmpty()) {
            check(caller, request(verb, new GroupResource(AUTHENTICATION, "nodes"), "", "", ownNode ? "*" : node));
        } else if (!account.isEmpty()) {
            GroupResource accounts = new GroupResource(users.group(), "serviceaccounts");
            check(caller, request(verb, accounts, "", account.get(0), account.get(1)));
        } else {
            check(caller, request(verb, users, "", "", wanted.username()));
        }
        if (!wanted.uid().isEmpty()) {
            check(caller, request(verb, new GroupResource(AUTHENTICATION, "uids"), "", "", wanted.uid()));
        }
        checkGroups(caller, wanted.groups(), verb, groups, constrained);
        checkExtra(caller, wanted.extra(), verb, constrained);
        return new Caller(wanted.username(), wanted.uid(), groups(wanted, account, node.isEmpty()), wanted.extra());
    }

    private void checkGroups(
            Caller caller, List<String> wanted, String verb, GroupResource groups, boolean constrained) {
        if (constrained && wanted.contains("")) {
            throw request(verb, groups, "", "", "")
                    .denied(caller, "impersonating the empty string group is not allowed");
        }
        if (constrained && wanted.contains("system:masters")) {
            throw request(verb, groups, "", "", "system:masters")
                    .denied(caller, "impersonating the system:masters group is not allowed");
        }
        if (!(constrained && wanted.size() >= MANY && may(caller, request(verb, groups, "", "", "*")))) {
            wanted.forEach(group -> check(caller, request(verb, groups, "", "", group)));
        }
    }

    private void checkExtra(Caller caller, Map<String, List<String>> extra, String verb, boolean constrained) {
        GroupResource extras = new GroupResource(AUTHENTICATION, "userextras");
        int values = extra.values().stream().mapToInt(List::size).sum();
        if (constrained) {
            extra.forEach((key, texts) -> {
                String wrong = wrong(key, texts);
                if (!wrong.isEmpty()) {
                    throw request(verb, extras, "", "", "").denied(caller, wrong);
                }
            });
        }
        if (!(constrained && values >= MANY && may(caller, request(verb, extras, "*", "", "*")))) {
            extra.forEach((key, texts) -> texts.forEach(text -> check(caller, request(verb, extras, key, "", text))));
        }
    }

    private static String wrong(String key, List<String> values) {
        int slash = key.indexOf('/');
        if (key.isEmpty()) {
            return "impersonating the empty string key in extra is not allowed";
        }
        if (slash <= 0 || slash == key.length() - 1) {
            return "impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "
                    + GoText.quote(key) + ": must be a domain-prefixed path (such as \"acme.io/foo\")";
        }
        return values.contains("") ? "impersonating the empty string value in extra is not allowed" : "";
    }

    private static AccessRequest request(
            String verb, GroupResource resource, String subresource, String namespace, String name) {
        return new AccessRequest(verb, resource.group(), resource.plural(), subresource, namespace, name, "");
    }

    private boolean may(Caller caller, AccessRequest request) {
        return authorizer.authorize(caller, request).allowed();
    }

    private void check(Caller caller, AccessRequest request) {
        Verdict verdict = authorizer.authorize(caller, request);
        if (!verdict.allowed()) {
            throw request.denied(caller, verdict.reason());
        }
    }

    private static boolean isOnlyNamed(Caller wanted) {
        return wanted.uid().isEmpty()
                && wanted.groups().isEmpty()
                && wanted.extra().isEmpty();
    }

    /** Its name; empty for anybody else. */
    private static String node(String user) {
        String name = user.startsWith(NODE) ? user.substring(NODE.length()) : "";
        return Names.dnsSubdomain(name).isEmpty() ? name : "";
    }

    /** Namespace and name; empty for anybody else. */
    private static List<String> account(String user) {
        if (!user.startsWith(ACCOUNT)) {
            return List.of();
        }
        List<String> parts = List.of(user.substring(ACCOUNT.length()).split(":", -1));
        return parts.size() == 2 ? parts : List.of();
    }

    private static List<String> groups(Caller wanted, List<String> account, boolean anybody) {
        List<String> groups = new ArrayList<>(wanted.groups());
        if (groups.isEmpty() && !account.isEmpty()) {
            groups.addAll(ServiceAccountTokens.groups(account.get(0)));
        } else if (!anybody) {
            groups.add("system:nodes");
        }
        String implied = wanted.username().equals(ANONYMOUS) ? UNAUTHENTICATED : "system:authenticated";
        if (!groups.contains(UNAUTHENTICATED) && !groups.contains(implied)) {
            groups.add(implied);
        }
        return List.copyOf(groups);
    }

    /** As Go prints it. */
    private static String printed(Caller wanted) {
        String extra = new TreeMap<>(wanted.extra())
                .entrySet().stream()
                        .map(entry -> GoText.quote(entry.getKey()) + ":" + texts(entry.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
        return "&user.DefaultInfo{Name:\"\", UID:" + GoText.quote(wanted.uid()) + ", Groups:" + texts(wanted.groups())
                + ", Extra:map[string][]string" + (wanted.extra().isEmpty() ? "(nil)" : extra) + "}";
    }

    private static String texts(List<String> texts) {
        return texts.isEmpty()
                ? "[]string(nil)"
                : texts.stream().map(GoText::quote).collect(Collectors.joining(", ", "[]string{", "}"));
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
