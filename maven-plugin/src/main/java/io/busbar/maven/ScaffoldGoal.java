package io.busbar.maven;

import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.scaffold.Invocation;
import io.busbar.scaffold.Outcome;
import io.busbar.scaffold.Outcome.What;
import io.busbar.scaffold.Scaffold;
import io.busbar.scaffold.files.Edition;
import java.io.File;
import java.io.IOException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * What the goals of the scaffold share: they do one command of the engine in the project's folder, and tell what it
 * did.
 */
abstract class ScaffoldGoal extends AbstractMojo {

    /** The folder of the project. */
    @Parameter(property = "folder", defaultValue = "${basedir}")
    private File folder = new File("");

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        Outcome outcome;
        try {
            outcome = run(new Scaffold(folder.toPath(), Edition.current(), Invocation.MAVEN));
        } catch (InvalidConfigurationException wrong) {
            throw new MojoFailureException("\n" + wrong.getMessage());
        } catch (IOException failed) {
            throw new MojoExecutionException("the project's files cannot be read or written: " + failed, failed);
        }
        outcome.lines().forEach(getLog()::info);
        if (!outcome.paths(What.CONFLICT).isEmpty()) {
            throw new MojoFailureException("there are conflicts to be settled: " + outcome.paths(What.CONFLICT));
        }
    }

    abstract Outcome run(Scaffold scaffold) throws IOException;
}
