package io.busbar.sandbox.rbac;

/**
 * Whether something is allowed.
 *
 * <p>Immutable.
 *
 * @param reason for people; maybe empty
 */
public record Verdict(boolean allowed, String reason) {

    static final Verdict ALLOWED = new Verdict(true, "");
}
