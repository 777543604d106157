package io.busbar.sandbox.auth;

import io.busbar.sandbox.rbac.Authorizer;

/**
 * Who gets in, and to what.
 *
 * <p>One context.
 */
public record Access(Authenticator authenticator, Authorizer authorizer, TokenRequests tokenRequests) {}
