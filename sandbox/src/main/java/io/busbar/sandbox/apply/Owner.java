package io.busbar.sandbox.apply;

import io.busbar.sandbox.syntax.GoText;

/**
 * Whose an entry of managedFields is.
 *
 * <p>Immutable.
 *
 * @param apiVersion empty for who applies: that is one owner in whatever version
 */
record Owner(String operation, String manager, String apiVersion, String subresource) {

    static final String APPLY = "Apply";
    static final String UPDATE = "Update";

    static Owner applying(ApplyOptions options) {
        return new Owner(APPLY, options.manager(), "", options.subresource());
    }

    static Owner updating(ApplyOptions options) {
        return new Owner(UPDATE, options.manager(), options.apiVersion(), options.subresource());
    }

    Owner in(String other) {
        return new Owner(operation, manager, other, subresource);
    }

    boolean applies() {
        return operation.equals(APPLY);
    }

    /** As messages name it. */
    @Override
    public String toString() {
        String part = subresource.isEmpty() ? "" : " with subresource " + GoText.quote(subresource);
        return GoText.quote(manager) + part + (applies() ? "" : " using " + apiVersion);
    }
}
