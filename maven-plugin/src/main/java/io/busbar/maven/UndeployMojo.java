package io.busbar.maven;

import io.busbar.maven.cluster.ClusterFiles;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Takes the operator, its kinds and all their objects out of the cluster of KUBECONFIG. */
@Mojo(name = "undeploy", requiresDependencyResolution = ResolutionScope.RUNTIME)
@Execute(phase = LifecyclePhase.PROCESS_CLASSES)
public final class UndeployMojo extends WholeOperatorGoal {

    @Override
    List<String> change(ClusterFiles cluster, List<HasMetadata> objects) {
        return cluster.delete(objects);
    }
}
