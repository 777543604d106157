package io.busbar.operator.bundled;

import io.busbar.manifests.ManifestTree;
import io.busbar.manifests.OperatorDeclaration;
import io.busbar.manifests.OperatorPart;
import io.busbar.manifests.crd.CrdGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.Arrays;
import java.util.List;

/**
 * What installs the operator with all that is bundled in it.
 *
 * <p>Any thread; takes a second the first time, so not for an event loop.
 */
public final class BundledManifests {

    /** Of the operator: names of what it is installed with begin with it. */
    public static final String NAME = "busbar";

    private BundledManifests() {}

    /** The files of {@code manifests/config}. */
    public static ManifestTree tree() {
        return ManifestTree.of(operator());
    }

    /** The definitions of all bundled kinds. */
    public static List<CustomResourceDefinition> crds() {
        return CrdGenerator.generate(operator().parts().stream()
                .flatMap(part -> part.types().stream())
                .toList());
    }

    private static OperatorDeclaration operator() {
        List<OperatorPart> parts = Arrays.stream(Bundled.values())
                .map(one -> one.part(NAME + "-system"))
                .toList();
        return new OperatorDeclaration(NAME, NAME + ":latest", parts);
    }
}
