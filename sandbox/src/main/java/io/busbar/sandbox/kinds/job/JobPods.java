package io.busbar.sandbox.kinds.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.controller.Kind;
import io.busbar.sandbox.controller.Templates;
import io.busbar.sandbox.storage.Metadata;
import java.util.List;

/** The Pods of a Job; those of an indexed one know their index. Any thread. */
final class JobPods {

    private JobPods() {}

    static ObjectNode pod(ObjectNode job) {
        return Templates.pod(job, Kind.JOB);
    }

    static ObjectNode pod(ObjectNode job, int index) {
        ObjectNode pod = pod(job);
        String name = Metadata.of(job).name() + "-" + index;
        ObjectNode metadata = Metadata.of(pod).node();
        metadata.put("generateName", name + "-");
        metadata.withObject("/annotations").put(Tally.INDEX, Integer.toString(index));
        metadata.withObject("/labels").put(Tally.INDEX, Integer.toString(index));
        ObjectNode spec = pod.withObject("/spec");
        spec.put("hostname", name);
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(list)) {
                variable(((ObjectNode) container).withArrayProperty("env"));
            }
        }
        return pod;
    }

    private static void variable(ArrayNode variables) {
        ObjectNode variable = variables.addObject().put("name", "JOB_COMPLETION_INDEX");
        variable.putObject("valueFrom")
                .putObject("fieldRef")
                .put("fieldPath", "metadata.annotations['" + Tally.INDEX + "']");
    }
}
