package io.busbar.maven;

import org.apache.maven.plugins.annotations.Parameter;

/** What the goals share that are about the operator with all that it needs: in which of its forms. */
abstract class WholeOperatorGoal extends ClusterGoal {

    /** Whether cert-manager makes the certificate of the webhooks; else the operator does. */
    @Parameter(property = "busbar.certManager", defaultValue = "false")
    private boolean certManager;

    @Override
    final String subject() {
        return certManager ? "dist/install.yaml" : "dist/install-self-signed.yaml";
    }
}
