package io.busbar.operator.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.configuration.InvalidConfigurationException;
import io.fabric8.kubernetes.api.model.KubernetesList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Objects in YAML or JSON. For one thread. */
final class Documents {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private Documents() {}

    /**
     * Of one file, lists taken apart.
     *
     * @param flag stands in what is said of a file that cannot be read
     * @param input what the file {@code -} stands for
     * @throws InvalidConfigurationException when it cannot be read
     */
    static List<ObjectNode> read(String flag, Path file, InputStream input) {
        try {
            String text = file.toString().equals("-")
                    ? new String(input.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(file);
            return flat(SERIALIZATION.<Object>unmarshal("---\n" + text)).toList();
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new InvalidConfigurationException(List.of(new ConfigurationProblem(
                    flag, file.toString(), "a readable file of Kubernetes objects (" + unreadable.getMessage() + ")")));
        }
    }

    static <T> T as(Object object, Class<T> type) {
        return SERIALIZATION.convertValue(object, type);
    }

    static List<String> lines(Object object) {
        return SERIALIZATION
                .asYaml(object)
                .lines()
                .filter(line -> !line.equals("---"))
                .toList();
    }

    private static Stream<ObjectNode> flat(@Nullable Object object) {
        if (object instanceof Collection<?> documents) {
            return documents.stream().flatMap(Documents::flat);
        }
        if (object instanceof KubernetesList list) {
            return list.getItems().stream().flatMap(Documents::flat);
        }
        return object == null ? Stream.empty() : Stream.of(as(object, ObjectNode.class));
    }
}
