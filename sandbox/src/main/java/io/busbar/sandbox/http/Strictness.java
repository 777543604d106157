package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What {@code fieldValidation} asks for: of fields that a kind does not know, and that stand twice, the client is
 * warned, or its request is refused.
 *
 * <p>Any thread.
 */
final class Strictness {

    private static final String IN_YAML = "yaml: unmarshal errors:\n";

    private Strictness() {}

    /** @throws StatusException 400 when there is anything and the client is strict */
    static void ofBody(ResourceType type, WriteOptions options, Supplier<List<String>> told) {
        List<String> found = found(options, told);
        if (!found.isEmpty()) {
            throw StatusException.badRequest(type.kind() + " in version \"" + type.version()
                    + "\" cannot be handled as a " + type.kind() + ": " + refusal(found));
        }
    }

    /** @throws StatusException 422 when there is anything and the client is strict */
    static void ofPatched(
            String patched, WriteOptions options, List<String> duplicates, Supplier<List<String>> unknown) {
        List<String> found = found(options, () -> together(duplicates, unknown.get()));
        if (!found.isEmpty()) {
            throw patchInvalid(patched, refusal(found));
        }
    }

    /** What a patch has made of an object is the patch's fault. */
    static StatusException patchInvalid(String patched, String why) {
        return StatusException.invalid("", "", "", List.of(FieldCause.invalid("patch", text(patched), why)));
    }

    private static String text(String patched) {
        return JsonNodeFactory.instance.textNode(patched).toString();
    }

    private static String refusal(List<String> found) {
        return "strict decoding error: " + String.join(", ", found);
    }

    /** What the request is to be refused for; warns of it otherwise. */
    private static List<String> found(WriteOptions options, Supplier<List<String>> told) {
        if (options.unknownFields() == WriteOptions.UnknownFields.IGNORE) {
            return List.of();
        }
        List<String> found = told.get();
        if (options.unknownFields() == WriteOptions.UnknownFields.STRICT) {
            return found;
        }
        found.forEach(each -> warn(options, each));
        return List.of();
    }

    /** What YAML's decoder tells of in one piece is warned of line by line. */
    private static void warn(WriteOptions options, String found) {
        if (found.startsWith(IN_YAML)) {
            found.substring(IN_YAML.length()).lines().map(String::strip).forEach(options.warnings());
        } else {
            options.warnings().accept(found);
        }
    }

    /**
     * @throws StatusException 400 when a configuration that is applied has fields that stand twice and the client is
     *     strict
     */
    static void ofApplied(WriteOptions options, List<String> duplicates) {
        List<String> found = found(options, () -> duplicates);
        if (!found.isEmpty()) {
            throw StatusException.badRequest(
                    "error strict decoding YAML: error converting YAML to JSON: " + String.join(", ", found));
        }
    }

    static List<String> together(List<String> duplicates, List<String> unknown) {
        return Stream.concat(duplicates.stream(), unknown.stream().map(Strictness::unknown))
                .toList();
    }

    static String unknown(String path) {
        return "unknown field \"" + path + "\"";
    }
}
