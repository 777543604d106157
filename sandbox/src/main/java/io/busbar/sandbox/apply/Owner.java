package io.busbar.sandbox.apply;

import io.busbar.sandbox.syntax.GoText;
import java.util.Comparator;

/** Whose an entry of managedFields is. Immutable. */
record Owner(String operation, String manager, String apiVersion, String subresource) {

    static final String APPLY = "Apply";
    static final String UPDATE = "Update";
    static final Comparator<Owner> BY_NAME = Comparator.comparing(Owner::manager)
            .thenComparing(Owner::apiVersion)
            .thenComparing(Owner::subresource);

    static Owner applying(ApplyOptions options) {
        return new Owner(APPLY, options.manager(), options.apiVersion(), options.subresource());
    }

    static Owner updating(ApplyOptions options) {
        return new Owner(UPDATE, options.manager(), options.apiVersion(), options.subresource());
    }

    /** As messages name it. */
    @Override
    public String toString() {
        String part = subresource.isEmpty() ? "" : " with subresource " + GoText.quote(subresource);
        return GoText.quote(manager) + part + (operation.equals(UPDATE) ? " using " + apiVersion : "");
    }
}
