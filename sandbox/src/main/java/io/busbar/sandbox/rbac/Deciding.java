package io.busbar.sandbox.rbac;

import io.busbar.sandbox.cel.AuthorizerFunctions.Decider;
import io.busbar.sandbox.cel.AuthorizerFunctions.Decision;
import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.request.Caller;
import java.util.List;
import java.util.Locale;

/** What expressions are told when they ask what somebody may do. One context. */
public final class Deciding {

    private Deciding() {}

    /** @param caller about whom is asked, unless an expression names a service account */
    public static Decider of(Authorizer authorizer, Caller caller) {
        return question -> {
            Caller about = question.account().isEmpty() ? caller : account(question.account());
            String verb = question.path().isEmpty()
                    ? question.verb()
                    : question.verb().toLowerCase(Locale.ROOT);
            Verdict verdict = authorizer.authorize(
                    about,
                    new AccessRequest(
                            verb,
                            question.group(),
                            question.resource(),
                            question.subresource(),
                            question.namespace(),
                            question.name(),
                            question.path()));
            return new Decision(verdict.allowed(), verdict.reason());
        };
    }

    private static Caller account(String namespaceAndName) {
        String namespace = namespaceAndName.substring(0, namespaceAndName.indexOf(':'));
        return new Caller(
                "system:serviceaccount:" + namespaceAndName,
                "",
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"));
    }
}
