package io.busbar.sandbox.auth;

import io.busbar.sandbox.request.Caller;
import java.util.List;

/**
 * What a valid token tells.
 *
 * <p>Immutable.
 *
 * @param audiences those of the token that were asked for
 */
record Verified(Caller caller, List<String> audiences) {}
