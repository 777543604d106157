package io.busbar.maven;

import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** What the goals share that are about one version of a kind: which it is. */
abstract class KindGoal extends ScaffoldGoal {

    /** Of the kind, without the domain, such as shop; if not given, the domain is the group. */
    @Parameter(property = "group")
    private @Nullable String group;

    /** Of the kind, such as v1alpha1. */
    @Parameter(property = "version", required = true)
    private String version = "";

    /** The kind, such as Crate. */
    @Parameter(property = "kind", required = true)
    private String kind = "";

    /** Whether files that are there are written over. */
    @Parameter(property = "force")
    private boolean force;

    final String group() {
        return group == null ? "" : group;
    }

    final String version() {
        return version;
    }

    final String kind() {
        return kind;
    }

    final boolean force() {
        return force;
    }
}
