package io.busbar.sandbox.rbac;

import io.busbar.sandbox.request.AccessRequest;
import io.busbar.sandbox.request.Caller;

/**
 * Decides who may do what.
 *
 * <p>One context.
 */
public interface Authorizer {

    Verdict authorize(Caller caller, AccessRequest request);

    /** All that somebody may do in a namespace, cluster-wide rights included. */
    Holdings holdings(Caller caller, String namespace);
}
