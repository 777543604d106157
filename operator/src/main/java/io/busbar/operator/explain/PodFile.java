package io.busbar.operator.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The Pod that a file describes: itself, or by the template of a Deployment or another workload.
 *
 * <p>Immutable.
 *
 * @param pod as it would be created
 * @param namespace that the file names, if it does
 */
public record PodFile(ObjectNode pod, Optional<String> namespace) {

    private static final List<String> OF_THE_SERVER =
            List.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "selfLink");

    /**
     * @param input what the file {@code -} stands for
     * @throws InvalidConfigurationException when there is no Pod in it
     */
    public static PodFile read(Path file, InputStream input) {
        for (ObjectNode object : Documents.read("--filename", file, input)) {
            Optional<ObjectNode> pod = pod(object);
            if (pod.isPresent()) {
                String namespace = object.path("metadata").path("namespace").asText();
                return new PodFile(pod.get(), Optional.of(namespace).filter(name -> !name.isEmpty()));
            }
        }
        throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                "--filename", file.toString(), "a file with a Pod, or with a template of Pods")));
    }

    private static Optional<ObjectNode> pod(ObjectNode object) {
        if (object.path("kind").asText().equals("Pod")) {
            ObjectNode pod = object.deepCopy();
            pod.remove("status");
            pod.withObjectProperty("metadata").remove(OF_THE_SERVER);
            return Optional.of(pod);
        }
        for (String path : List.of("/spec/template", "/spec/jobTemplate/spec/template")) {
            JsonNode template = object.at(path);
            if (template.path("spec").has("containers")) {
                ObjectNode pod = object.objectNode().put("apiVersion", "v1").put("kind", "Pod");
                ObjectNode metadata = pod.putObject("metadata")
                        .put(
                                "generateName",
                                object.path("metadata").path("name").asText() + "-");
                template.path("metadata").properties().forEach(field -> metadata.set(field.getKey(), field.getValue()));
                pod.set("spec", template.path("spec"));
                return Optional.of(pod);
            }
        }
        return Optional.empty();
    }
}
