package io.busbar.maven;

import io.busbar.scaffold.project.Project;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Writes what installs the operator: {@code config} for kustomize, and where PROJECT asks for them {@code chart} for
 * Helm and {@code bundle} for the Operator Lifecycle Manager.
 */
@Mojo(name = "manifests", requiresDependencyResolution = ResolutionScope.RUNTIME)
@Execute(phase = LifecyclePhase.PROCESS_CLASSES)
public final class ManifestsMojo extends OperatorGoal {

    @Override
    void run() throws MojoFailureException, IOException, InterruptedException {
        Path written = manifests();
        for (String name : folders(declared())) {
            for (Path other : FileTree.copy(written.resolve(name), folder().resolve(name))) {
                getLog().warn(name + "/" + other + " is not made by this: delete it, unless it is yours");
            }
            getLog().info("wrote " + name);
        }
    }

    private static List<String> folders(Project declared) {
        List<String> folders = new ArrayList<>(List.of("config"));
        if (declared.chart()) {
            folders.add("chart");
        }
        if (declared.bundle()) {
            folders.add("bundle");
        }
        return folders;
    }
}
