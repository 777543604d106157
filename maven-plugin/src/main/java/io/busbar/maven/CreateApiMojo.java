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
public final class CreateApiMojo extends KindGoal {

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

    @Override
    Outcome run(Scaffold scaffold) throws IOException {
        return scaffold.createApi(
                new ApiRequest(group(), version(), kind(), plural, namespaced, resource, controller, force()));
    }
}
