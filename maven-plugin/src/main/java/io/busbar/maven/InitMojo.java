package io.busbar.maven;

import io.busbar.scaffold.Outcome;
import io.busbar.scaffold.Scaffold;
import java.io.IOException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Makes the project of a new operator. */
@Mojo(name = "init", requiresProject = false)
public final class InitMojo extends ScaffoldGoal {

    /** Of the groups of its kinds, such as example.com. */
    @Parameter(property = "domain", defaultValue = "my.domain")
    private String domain = "";

    /** What it is installed as; if not given, the name of the folder. */
    @Parameter(property = "project-name")
    private @Nullable String projectName;

    /** Its Java package, which is its Maven group too; if not given, the domain reversed, and the name. */
    @Parameter(property = "repo")
    private @Nullable String repo;

    /** Whether files that are there are written over. */
    @Parameter(property = "force")
    private boolean force;

    @Override
    Outcome run(Scaffold scaffold) throws IOException {
        return scaffold.init(domain, projectName, repo, force);
    }
}
