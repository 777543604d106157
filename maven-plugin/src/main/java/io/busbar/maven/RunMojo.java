package io.busbar.maven;

import java.io.IOException;
import java.util.List;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.jspecify.annotations.Nullable;

/** Runs the operator against the cluster of KUBECONFIG, until it is stopped. */
@Mojo(name = "run", requiresDependencyResolution = ResolutionScope.RUNTIME)
@Execute(phase = LifecyclePhase.PROCESS_CLASSES)
public final class RunMojo extends OperatorGoal {

    /** Flags of the operator, with blanks between them. */
    @Parameter(property = "busbar.args")
    private @Nullable String args;

    /**
     * Whether the operator that is deployed stands by while this one runs. It goes on when this one ends, however that
     * comes about, within 18 s; it must elect a leader, as the manifests have it.
     */
    @Parameter(property = "busbar.takeOver", defaultValue = "false")
    private boolean takeOver;

    @Override
    void run() throws MojoFailureException, IOException, InterruptedException {
        List<String> arguments = words(args);
        arguments.add(0, "run");
        if (takeOver) {
            arguments.add("--take-over");
        }
        program(arguments);
    }
}
