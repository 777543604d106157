package io.busbar.reconciler;

/** What a controller does with objects that it owns. Roles are derived from it. */
public enum Write {
    /** {@link ReconcileContext#apply}. */
    APPLY,
    /** {@link ReconcileContext#create}. */
    CREATE,
    /** {@link ReconcileContext#delete}. */
    DELETE
}
