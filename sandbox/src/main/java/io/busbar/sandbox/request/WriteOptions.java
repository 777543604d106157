package io.busbar.sandbox.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;

/**
 * How to write: the common part of {@code CreateOptions}, {@code UpdateOptions}, {@code PatchOptions} and
 * {@code DeleteOptions}.
 *
 * <p>Immutable; the consumer is called on the server's context.
 *
 * @param dryRun whether everything is done but the write itself
 * @param fieldManager never empty
 * @param force whether an apply takes fields from other managers
 * @param unknownFields what becomes of fields that a kind does not know
 * @param asked what the client said of these itself, as webhooks are told: {@code fieldManager},
 *     {@code fieldValidation}; not to be changed
 * @param warnings gets texts for the client's user
 */
public record WriteOptions(
        Caller caller,
        boolean dryRun,
        String fieldManager,
        boolean force,
        UnknownFields unknownFields,
        ObjectNode asked,
        Consumer<String> warnings) {

    /** The values of {@code fieldValidation}. */
    public enum UnknownFields {
        IGNORE,
        WARN,
        STRICT
    }

    /** The same, but nothing is written. */
    public WriteOptions trying() {
        return new WriteOptions(caller, true, fieldManager, force, unknownFields, asked, warnings);
    }

    /** For a part of the cluster itself. */
    public static WriteOptions of(Caller caller, String fieldManager) {
        return new WriteOptions(
                caller,
                false,
                fieldManager,
                false,
                UnknownFields.IGNORE,
                JsonNodeFactory.instance.objectNode(),
                warning -> {});
    }
}
