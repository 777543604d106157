package io.busbar.maven.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
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

    /** For the objects of a kind to be gone. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

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
     * Makes objects, and takes over those that are there. A PodDisruptionBudget is left out where the cluster is too
     * old for it, as all else works without.
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
     * Takes objects away; those that are not there are none to take away. Kinds go first, with all their objects, while
     * an operator may still take off finalizers; then what runs; webhooks after the roles of whoever would register
     * them again; namespaces last.
     *
     * @return what the cluster has refused, or has not done within half a minute, a line each
     */
    public List<String> delete(List<HasMetadata> objects) {
        List<HasMetadata> reversed = new ArrayList<>(objects);
        Collections.reverse(reversed);
        reversed.sort(Comparator.comparingInt(ClusterFiles::lastTurn));
        List<String> staying = new ArrayList<>();
        List<String> refused = each(reversed, object -> {
            boolean there = client.resource(object).get() != null;
            client.resource(object).delete();
            if (there && object instanceof CustomResourceDefinition && !isGone(object)) {
                staying.add(name(object) + ": still there after " + PATIENCE.toSeconds()
                        + " s: its objects have finalizers, which the operator takes off while it runs");
            }
            return there ? "deleted " : "not there: ";
        });
        staying.addAll(refused);
        return staying;
    }

    private static int lastTurn(HasMetadata object) {
        if (object instanceof CustomResourceDefinition) {
            return 0;
        }
        if (object instanceof Deployment) {
            return 1;
        }
        if (object instanceof Namespace) {
            return 4;
        }
        return object instanceof MutatingWebhookConfiguration || object instanceof ValidatingWebhookConfiguration
                ? 3
                : 2;
    }

    private boolean isGone(HasMetadata object) {
        try {
            client.resource(object).waitUntilCondition(Objects::isNull, PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (KubernetesClientTimeoutException stays) {
            return false;
        }
    }

    private List<String> each(List<HasMetadata> objects, Function<HasMetadata, String> change) {
        List<String> refused = new ArrayList<>();
        for (HasMetadata object : objects) {
            try {
                told.accept(change.apply(object) + name(object));
            } catch (KubernetesClientException refusal) {
                if (object instanceof PodDisruptionBudget && !client.supports(PodDisruptionBudget.class)) {
                    told.accept("left out: " + name(object) + ": the cluster has no " + object.getApiVersion());
                    continue;
                }
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
