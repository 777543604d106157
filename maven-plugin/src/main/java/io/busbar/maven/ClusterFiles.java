package io.busbar.maven;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
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
import java.util.stream.Stream;

/**
 * Objects in files, and how they come into a cluster and out of it.
 *
 * <p>One thread; blocks.
 *
 * @param told gets a line for each object
 */
record ClusterFiles(KubernetesClient client, Consumer<String> told) {

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("busbar-maven-plugin")
            .withForce(true)
            .build();

    /** The objects of a file, or of all YAML files in a folder: namespaces first, then definitions of kinds. */
    List<HasMetadata> read(Path fileOrFolder) throws IOException {
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

    /** Makes objects, and takes over those that are there. */
    void apply(List<HasMetadata> objects) {
        for (HasMetadata object : objects) {
            client.resource(object).patch(APPLY);
            told.accept("applied " + name(object));
        }
    }

    /** Takes objects away, the last first; those that are not there are none to take away. */
    void delete(List<HasMetadata> objects) {
        List<HasMetadata> reversed = new ArrayList<>(objects);
        Collections.reverse(reversed);
        for (HasMetadata object : reversed) {
            boolean there = !client.resource(object).delete().isEmpty();
            told.accept((there ? "deleted " : "not there: ") + name(object));
        }
    }

    private static String name(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return object.getKind() + " " + (namespace == null ? "" : namespace + "/")
                + object.getMetadata().getName();
    }
}
