package io.busbar.operator.podbugger.v1beta1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be put into which Pods.
 *
 * <p>Immutable.
 *
 * @param label label of the Pods, as {@code key=value}
 * @param image image of the container
 * @param targetContainerName the container whose processes this one sees; none if left out
 * @param command command of the container; a shell if left out
 * @param allNamespaces whether Pods of other namespaces get it too
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodbuggertoolSpec(
        @Required String label,
        @Required @Size(min = 1) String image,
        @Nullable String targetContainerName,
        @Default("[\"sh\"]") List<String> command,
        @Default("false") boolean allNamespaces) {

    public PodbuggertoolSpec {
        command = command == null || command.isEmpty() ? List.of("sh") : List.copyOf(command);
    }
}
