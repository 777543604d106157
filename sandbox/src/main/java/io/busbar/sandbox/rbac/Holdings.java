package io.busbar.sandbox.rbac;

import java.util.List;

/**
 * The rules that hold for somebody.
 *
 * <p>Immutable.
 *
 * @param errors names roles that are bound and not there
 */
public record Holdings(List<Rule> rules, List<String> errors) {

    /** As Kubernetes joins errors; empty for none. */
    public String error() {
        return errors.size() == 1 ? errors.get(0) : errors.isEmpty() ? "" : errors.toString();
    }
}
