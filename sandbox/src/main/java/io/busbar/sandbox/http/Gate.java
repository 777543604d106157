package io.busbar.sandbox.http;

import io.busbar.sandbox.auth.Access;
import io.busbar.sandbox.auth.Authenticator;
import io.busbar.sandbox.auth.Impersonation;
import io.busbar.sandbox.rbac.Authorizer;
import io.busbar.sandbox.rbac.Verdict;
import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.request.Target;
import io.busbar.sandbox.select.FieldSelector;
import io.busbar.sandbox.select.SelectorException;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests in, or not, before anything else is done with them: who calls, as whom, and may it.
 *
 * <p>One context. What a request asks for is read as by apiserver's {@code RequestInfo}.
 */
final class Gate {

    private final Authenticator authenticator;
    private final Impersonation impersonation;
    private final Authorizer authorizer;

    Gate(Access access) {
        this.authenticator = access.authenticator();
        this.impersonation = new Impersonation(access.authorizer());
        this.authorizer = access.authorizer();
    }

    /** @throws StatusException 401 or 403 */
    Caller admit(HttpServerRequest request) {
        AccessRequest wish = wish(request);
        Caller caller = impersonation.apply(authenticator.caller(request), request.headers(), wish);
        check(caller, wish);
        return caller;
    }

    /**
     * What an apply needs to make an object, beside the right to patch.
     *
     * @throws StatusException 403
     */
    void checkCreate(Caller caller, Target target) {
        GroupResource resource = target.resource().named();
        check(caller, AccessRequest.resource("create", resource, target.namespace(), target.name()));
    }

    private void check(Caller caller, AccessRequest wish) {
        Verdict verdict = authorizer.authorize(caller, wish);
        if (!verdict.allowed()) {
            throw wish.denied(caller, verdict.reason());
        }
    }

    private static AccessRequest wish(HttpServerRequest request) {
        Optional<RequestPath> parsed = RequestPath.parse(RawUrl.path(request.path()));
        if (parsed.isEmpty()) {
            return AccessRequest.path(request.method().name().toLowerCase(Locale.ROOT), request.path());
        }
        RequestPath path = parsed.get();
        MultiMap query = RawUrl.query(request.uri());
        String verb = verb(request.method().name(), path, query);
        boolean namespace = path.group().isEmpty() && path.plural().equals("namespaces");
        String name = path.name().isEmpty()
                        && List.of("list", "watch", "deletecollection").contains(verb)
                ? selectedName(query.get("fieldSelector"))
                : path.name();
        return new AccessRequest(
                verb,
                path.group(),
                path.plural(),
                path.subresource(),
                namespace && !path.name().isEmpty() ? path.name() : path.namespace(),
                name,
                "");
    }

    private static String verb(String method, RequestPath path, MultiMap query) {
        if (path.watch()) {
            return "watch";
        }
        return switch (method) {
            case "GET", "HEAD" -> path.name().isEmpty() ? (watches(query) ? "watch" : "list") : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> path.name().isEmpty() ? "deletecollection" : "delete";
            default -> "";
        };
    }

    private static boolean watches(MultiMap query) {
        String watch = query.get("watch");
        return watch != null && !watch.equals("false") && !watch.equals("0");
    }

    private static String selectedName(@Nullable String selector) {
        try {
            return selector == null
                    ? ""
                    : FieldSelector.parse(selector).required("metadata.name").orElse("");
        } catch (SelectorException refusedLater) {
            return "";
        }
    }
}
