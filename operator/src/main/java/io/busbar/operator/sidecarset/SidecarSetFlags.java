package io.busbar.operator.sidecarset;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/** What can be chosen about all SidecarSets. For one thread, until all is read. */
public final class SidecarSetFlags {

    @Option(
            names = "--protected-namespaces",
            split = ",",
            defaultValue = "kube-system,kube-public",
            paramLabel = "NAME",
            description =
                    "Namespaces whose Pods get no sidecars, beside the operator's own. Default: ${DEFAULT-VALUE}.")
    private Set<String> protectedNamespaces = Set.of("kube-system", "kube-public");

    @Option(
            names = "--feature-gates",
            split = ",",
            paramLabel = "GATE=BOOLEAN",
            description =
                    "SidecarSetPatchPodMetadataDefaultsAllowed=true lets SidecarSets patch any annotation of Pods that no"
                            + " rule of the ConfigMap kruise-configuration speaks of. Default: false.")
    private Map<FeatureGate, Boolean> featureGates = Map.of();

    boolean enabled(FeatureGate gate) {
        return featureGates.getOrDefault(gate, false);
    }

    /** Namespaces into whose Pods nothing is injected. */
    Set<String> untouched(String operatorNamespace) {
        Set<String> namespaces = new HashSet<>(protectedNamespaces);
        namespaces.add(operatorNamespace);
        return namespaces;
    }
}
