package io.busbar.maven;

import io.busbar.scaffold.Outcome;
import io.busbar.scaffold.Scaffold;
import java.io.IOException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Changes what holds for a whole project. */
@Mojo(name = "edit")
public final class EditMojo extends ScaffoldGoal {

    /** Whether there may be kinds of several groups. */
    @Parameter(property = "multigroup")
    private @Nullable Boolean multigroup;

    /** Whether the manifests have a Helm chart. */
    @Parameter(property = "chart")
    private @Nullable Boolean chart;

    /** Whether the manifests have a bundle for the Operator Lifecycle Manager. */
    @Parameter(property = "bundle")
    private @Nullable Boolean bundle;

    @Override
    Outcome run(Scaffold scaffold) throws IOException {
        return scaffold.edit(multigroup, chart, bundle);
    }
}
