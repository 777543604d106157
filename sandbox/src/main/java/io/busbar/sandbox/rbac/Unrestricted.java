package io.busbar.sandbox.rbac;

import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.request.Caller;
import java.util.List;

/**
 * Lets everybody do everything.
 *
 * <p>Immutable.
 */
public final class Unrestricted implements Authorizer {

    @Override
    public Verdict authorize(Caller caller, AccessRequest request) {
        return Verdict.ALLOWED;
    }

    @Override
    public Holdings holdings(Caller caller, String namespace) {
        return new Holdings(List.of(Rule.ALL_RESOURCES, Rule.ALL_PATHS), List.of());
    }
}
