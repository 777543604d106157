package io.busbar.sandbox.storage;

import io.busbar.sandbox.status.ResourceName;

/**
 * What objects are kept under: the plural name of their kind and its group, whatever version a client speaks.
 *
 * <p>Immutable.
 *
 * @param group empty for the core group
 * @param plural the name in URLs, such as {@code pods}
 */
public record GroupResource(String group, String plural) implements ResourceName {

    public static GroupResource core(String plural) {
        return new GroupResource("", plural);
    }

    /** As of any record; written out, since it is asked for each watch and each change. */
    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof GroupResource resource
                        && plural.equals(resource.plural)
                        && group.equals(resource.group));
    }

    @Override
    public int hashCode() {
        return 31 * plural.hashCode() + group.hashCode();
    }

    /** {@code plural.group}, as in messages and in the name of a CRD; {@code plural} alone in the core group. */
    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
