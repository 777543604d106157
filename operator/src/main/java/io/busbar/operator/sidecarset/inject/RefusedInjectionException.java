package io.busbar.operator.sidecarset.inject;

/**
 * Says that a set cannot be injected into a Pod, which must not run without it. The message names the set and the
 * reason.
 */
final class RefusedInjectionException extends Exception {

    private static final long serialVersionUID = 1L;

    RefusedInjectionException(String set, String reason) {
        super("SidecarSet " + set + " cannot be injected: " + reason);
    }
}
