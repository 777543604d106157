package io.busbar.sandbox.rbac;

import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.storage.StoreEvent;
import io.busbar.sandbox.syntax.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Allows what a role says that is bound to the caller or to one of its groups. The group {@code system:masters} may do
 * everything, whatever the roles say.
 *
 * <p>One context.
 */
public final class RbacAuthorizer implements Authorizer {

    static final String MASTERS = "system:masters";

    private final Grants grants = new Grants();

    /** Takes note of a change, whatever it is of. */
    public void changed(StoreEvent event) {
        grants.changed(event);
    }

    @Override
    public Verdict authorize(Caller caller, AccessRequest request) {
        if (caller.groups().contains(MASTERS)) {
            return Verdict.ALLOWED;
        }
        List<String> missing = new ArrayList<>();
        for (Grants.Grant grant : grants.of(caller, request.namespace())) {
            Optional<List<Rule>> rules = grants.rules(grant.role());
            if (rules.isEmpty()) {
                missing.add(missing(grant.role()));
            } else if (rules.get().stream().anyMatch(rule -> rule.allows(request))) {
                return new Verdict(true, "RBAC: allowed by " + grant.reason());
            }
        }
        return new Verdict(false, missing.isEmpty() ? "" : "RBAC: " + new Holdings(List.of(), missing).error());
    }

    @Override
    public Holdings holdings(Caller caller, String namespace) {
        List<Rule> rules = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Grants.Grant grant : grants.of(caller, namespace)) {
            grants.rules(grant.role()).ifPresentOrElse(rules::addAll, () -> missing.add(missing(grant.role())));
        }
        return new Holdings(List.copyOf(rules), List.copyOf(missing));
    }

    /** Empty for a role that is not there. */
    Optional<List<Rule>> rules(RoleRef role) {
        return grants.rules(role);
    }

    private static String missing(RoleRef role) {
        return role.singular() + " " + GoText.quote(role.key().name()) + " not found";
    }
}
