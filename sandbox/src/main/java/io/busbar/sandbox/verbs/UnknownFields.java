package io.busbar.sandbox.verbs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.status.StatusException;
import java.util.List;
import java.util.stream.Collectors;

/** What {@code fieldValidation} asks for: unknown fields are warned of, or refused. Any thread. */
final class UnknownFields {

    private UnknownFields() {}

    /** @throws StatusException 400 when there are any and the client is strict */
    static void check(Resource resource, WriteOptions options, ObjectNode object) {
        if (options.unknownFields() == WriteOptions.UnknownFields.IGNORE) {
            return;
        }
        List<String> unknown = resource.rules().unknownFields(object).stream()
                .map(field -> "unknown field \"" + field + "\"")
                .toList();
        if (options.unknownFields() == WriteOptions.UnknownFields.WARN) {
            unknown.forEach(options.warnings());
        } else if (!unknown.isEmpty()) {
            throw StatusException.badRequest(resource.type().kind() + " in version \""
                    + resource.type().version() + "\" cannot be handled as a "
                    + resource.type().kind() + ": strict decoding error: "
                    + unknown.stream().collect(Collectors.joining(", ")));
        }
    }
}
