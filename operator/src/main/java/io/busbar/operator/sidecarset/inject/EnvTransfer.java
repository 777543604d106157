package io.busbar.operator.sidecarset.inject;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.operator.sidecarset.v1beta1.ContainerNameSource;
import io.busbar.operator.sidecarset.v1beta1.TransferEnvVar;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Variables that a sidecar takes over from one of the Pod's containers.
 *
 * <p>Immutable.
 *
 * @param map {@code labels} or {@code annotations}, where the container's name stands under the key; empty where the
 *     source itself is the name
 * @param names sorted, as OpenKruise adds them
 */
record EnvTransfer(String map, String source, SortedSet<String> names) {

    private static final Pattern FIELD = Pattern.compile("metadata\\.(labels|annotations)\\['(.*)'\\]");

    static EnvTransfer of(TransferEnvVar transfer) {
        SortedSet<String> names = new TreeSet<>(transfer.envNames());
        if (transfer.envName() != null && !transfer.envName().isEmpty()) {
            names.add(transfer.envName());
        }
        ContainerNameSource from = transfer.sourceContainerNameFrom();
        if (from == null || from.fieldRef() == null) {
            String fixed = transfer.sourceContainerName();
            return new EnvTransfer("", fixed == null ? "" : fixed, names);
        }
        Matcher field = FIELD.matcher(String.valueOf(from.fieldRef().getFieldPath()));
        if (!field.matches()) {
            throw new IllegalArgumentException(
                    "not a source of a container's name: " + from.fieldRef().getFieldPath()
                            + ", allowed: metadata.labels['key'] or metadata.annotations['key']");
        }
        return new EnvTransfer(field.group(1), field.group(2), names);
    }

    /** The variables that the Pod has; what it lacks is left out. */
    List<JsonNode> from(AppContainers app) {
        JsonNode container = app.container(map.isEmpty() ? source : app.metadata(map, source));
        return names.stream()
                .map(name -> AppContainers.variable(container, name))
                .flatMap(Optional::stream)
                .toList();
    }
}
