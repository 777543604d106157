package io.busbar.operator.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.conversion.UnconvertibleException;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.busbar.operator.sidecarset.defaulting.SidecarSetDefaulter;
import io.busbar.operator.sidecarset.history.RevisionHistory;
import io.busbar.operator.sidecarset.v1alpha1.SidecarSetConverter;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What injection looks at beside the Pod.
 *
 * <p>Immutable.
 *
 * @param namespace the Pod's
 */
public record KnownObjects(List<SidecarSet> sets, Namespace namespace, List<ControllerRevision> revisions) {

    /**
     * As the API server has them. Blocks.
     *
     * @param operatorNamespace where the history is kept
     * @throws IllegalArgumentException when there is no such namespace
     */
    public static KnownObjects in(KubernetesClient client, String podNamespace, String operatorNamespace) {
        Namespace namespace = Optional.ofNullable(
                        client.namespaces().withName(podNamespace).get())
                .orElseThrow(() -> new IllegalArgumentException("there is no namespace " + podNamespace));
        return new KnownObjects(
                client.resources(SidecarSet.class).list().getItems(),
                namespace,
                client.apps()
                        .controllerRevisions()
                        .inNamespace(operatorNamespace)
                        .withLabel(RevisionHistory.SET_NAME)
                        .list()
                        .getItems());
    }

    /**
     * From files: SidecarSets of either version, which get their defaults, ControllerRevisions, and Namespaces, of
     * which one that is missing has no labels. Anything else is passed over.
     *
     * @throws InvalidConfigurationException when a file cannot be read, or a SidecarSet in it not be understood
     */
    public static KnownObjects in(List<Path> files, InputStream input, String podNamespace) {
        List<SidecarSet> sets = new ArrayList<>();
        List<ControllerRevision> revisions = new ArrayList<>();
        Namespace namespace = new NamespaceBuilder()
                .withNewMetadata()
                .withName(podNamespace)
                .endMetadata()
                .build();
        for (Path file : files) {
            for (ObjectNode object : Documents.read("--sets", file, input)) {
                switch (object.path("kind").asText()) {
                    case "SidecarSet" -> sets.add(new SidecarSetDefaulter().withDefaults(set(object, file)));
                    case "ControllerRevision" -> revisions.add(Documents.as(object, ControllerRevision.class));
                    case "Namespace" -> namespace = named(podNamespace, object).orElse(namespace);
                    default -> {}
                }
            }
        }
        return new KnownObjects(sets, namespace, revisions);
    }

    /** Whatever its version. */
    private static SidecarSet set(ObjectNode object, Path file) {
        try {
            ObjectNode hub = SidecarSetConverter.VERSIONS.convert(
                    object, SidecarSetConverter.VERSIONS.resource().apiVersion());
            return Documents.as(hub, SidecarSet.class);
        } catch (UnconvertibleException invalid) {
            throw new InvalidConfigurationException(List.of(
                    new ConfigurationProblem("--sets", file.toString(), "SidecarSets (" + invalid.getMessage() + ")")));
        }
    }

    private static Optional<Namespace> named(String name, ObjectNode object) {
        return Optional.<HasMetadata>of(Documents.as(object, Namespace.class))
                .filter(candidate -> name.equals(candidate.getMetadata().getName()))
                .map(Namespace.class::cast);
    }
}
