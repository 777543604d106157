package io.busbar.maven.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Objects in files, and how they come into a cluster and out of it.
 *
 * <p>One thread; blocks.
 *
 * @param told gets a line for each object
 */
public record ClusterFiles(KubernetesClient client, Consumer<String> told) {

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("busbar-maven-plugin")
            .withForce(true)
            .build();

    /** The objects of a file, or of all YAML files in a folder: namespaces first, then definitions of kinds. */
    public List<HasMetadata> read(Path fileOrFolder) throws IOException {
        List<Path> files;
        try (Stream<Path> paths = Files.walk(fileOrFolder)) {
            files = paths.filter(path -> path.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
        List<HasMetadata> objects = new ArrayList<>();
        for (Path file : files) {
            try (InputStream text = Files.newInputStream(file)) {
                objects.addAll(client.load(text).items());
            }
        }
        objects.sort(Comparator.comparingInt(ClusterFiles::turn));
        return objects;
    }

    private static int turn(HasMetadata object) {
        return object instanceof Namespace ? 0 : object instanceof CustomResourceDefinition ? 1 : 2;
    }

    /**
     * Makes objects, and takes over those that are there.
     *
     * @return what the cluster has refused, a line each; all others are applied
     */
    public List<String> apply(List<HasMetadata> objects) {
        return each(objects, object -> {
            client.resource(object).patch(APPLY);
            return "applied ";
        });
    }

    /**
     * Takes objects away, the last first; those that are not there are none to take away.
     *
     * @return what the cluster has refused, a line each
     */
    public List<String> delete(List<HasMetadata> objects) {
        List<HasMetadata> reversed = new ArrayList<>(objects);
        Collections.reverse(reversed);
        return each(reversed, object -> client.resource(object).delete().isEmpty() ? "not there: " : "deleted ");
    }

    private List<String> each(List<HasMetadata> objects, Function<HasMetadata, String> change) {
        List<String> refused = new ArrayList<>();
        for (HasMetadata object : objects) {
            try {
                told.accept(change.apply(object) + name(object));
            } catch (KubernetesClientException refusal) {
                refused.add(name(object) + ", " + object.getApiVersion() + ": " + reason(object, refusal));
            }
        }
        return refused;
    }

    private static String reason(HasMetadata object, KubernetesClientException refusal) {
        if (refusal.getStatus() != null && refusal.getStatus().getMessage() != null) {
            return refusal.getStatus().getMessage();
        }
        // Of kinds that are no classes, the client asks the cluster before it sends anything.
        return object instanceof GenericKubernetesResource && refusal.getCode() <= 0 && refusal.getCause() == null
                ? "the cluster has no such kind"
                : String.valueOf(refusal.getMessage());
    }

    private static String name(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return object.getKind() + " " + (namespace == null ? "" : namespace + "/")
                + object.getMetadata().getName();
    }
}
