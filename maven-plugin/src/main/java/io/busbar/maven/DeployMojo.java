package io.busbar.maven;

import io.busbar.maven.cluster.ClusterFiles;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.jspecify.annotations.Nullable;

/** Installs the operator in the cluster of KUBECONFIG, with its kinds and all that it needs. */
@Mojo(name = "deploy", requiresDependencyResolution = ResolutionScope.RUNTIME)
@Execute(phase = LifecyclePhase.PROCESS_CLASSES)
public final class DeployMojo extends WholeOperatorGoal {

    /**
     * Its image, with a tag, such as registry.example.com/shop:1.0; if not given, as the program declares it:
     * shop:latest.
     */
    @Parameter(property = "image.name")
    private @Nullable String image;

    @Override
    String[] flags() {
        return image == null ? super.flags() : new String[] {"--image=" + image};
    }

    @Override
    List<String> change(ClusterFiles cluster, List<HasMetadata> objects) {
        return cluster.apply(objects);
    }
}
