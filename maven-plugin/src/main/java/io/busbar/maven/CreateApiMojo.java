package io.busbar.maven;

import io.busbar.scaffold.ApiRequest;
import io.busbar.scaffold.Outcome;
import io.busbar.scaffold.Scaffold;
import java.io.IOException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Adds a kind, or one more version of it: its types, its controller, their tests. */
@Mojo(name = "create-api")
public final class CreateApiMojo extends ScaffoldGoal {

    /** Of the kind, without the domain, such as shop; if not given, the domain is the group. */
    @Parameter(property = "group")
    private @Nullable String group;

    /** Of the kind, such as v1alpha1. */
    @Parameter(property = "version", required = true)
    private String version = "";

    /** The kind, such as Crate. */
    @Parameter(property = "kind", required = true)
    private String kind = "";

    /** The name of its resource, where that is not the regular plural of the kind. */
    @Parameter(property = "plural")
    private @Nullable String plural;

    /** Whether its objects are in namespaces. */
    @Parameter(property = "namespaced", defaultValue = "true")
    private boolean namespaced;

    /** Whether its types are made. */
    @Parameter(property = "resource", defaultValue = "true")
    private boolean resource;

    /** Whether it gets a controller; if not given, unless another version has one. */
    @Parameter(property = "controller")
    private @Nullable Boolean controller;

    /** Whether files that are there are written over. */
    @Parameter(property = "force")
    private boolean force;

    @Override
    Outcome run(Scaffold scaffold) throws IOException {
        return scaffold.createApi(new ApiRequest(
                group == null ? "" : group, version, kind, plural, namespaced, resource, controller, force));
    }
}
