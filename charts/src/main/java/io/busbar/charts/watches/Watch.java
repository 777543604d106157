package io.busbar.charts.watches;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * That a chart is a kind. Immutable.
 *
 * @param plural the name in URLs, in lower case
 * @param chart a folder or a {@code .tgz} that is there
 * @param overrideValues texts, numbers and truths, by dotted paths, as those of {@code helm --set}; they win over those
 *     of an instance
 * @param watchDependentResources whether a change of what an instance is made of has it reconciled
 * @param selector of instances, in the syntax of the API; empty for all
 * @param reconcilePeriod how often each instance is reconciled though nothing has changed; empty where the flags of the
 *     operator decide
 */
public record Watch(
        String group,
        String version,
        String kind,
        String plural,
        Path chart,
        Map<String, JsonNode> overrideValues,
        boolean watchDependentResources,
        String selector,
        Optional<Duration> reconcilePeriod) {

    public Watch {
        overrideValues = Collections.unmodifiableMap(new LinkedHashMap<>(overrideValues));
    }

    /** Of its definition and its controller: {@code plural.group}. */
    public String name() {
        return plural + "." + group;
    }
}
