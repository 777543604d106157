package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.faults.Answer;
import io.busbar.sandbox.request.Caller;
import io.busbar.sandbox.request.DeleteOptions;
import io.busbar.sandbox.request.WriteOptions;
import io.busbar.sandbox.request.WriteOptions.UnknownFields;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.syntax.GoText;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One request, as read.
 *
 * <p>One context. Only the list of warnings changes.
 *
 * @param incoming null for a call that came by no connection
 * @param id unique, in the answer's {@code Audit-Id} and in the log when it fails
 * @param answer the way in which it is answered
 */
record Call(
        @Nullable HttpServerRequest incoming,
        String uri,
        MultiMap headers,
        String id,
        HttpMethod method,
        String path,
        MultiMap query,
        Buffer body,
        Accept accept,
        Caller caller,
        List<String> warnings,
        Answer answer) {

    static Call of(HttpServerRequest request, Buffer body, Accept accept, Caller caller) {
        String path = request.path();
        return new Call(
                request,
                request.uri(),
                request.headers(),
                UUID.randomUUID().toString(),
                request.method(),
                path == null ? "" : RawUrl.path(path),
                RawUrl.query(request.uri()),
                body,
                accept,
                caller,
                new ArrayList<>(),
                Answer.AT_ONCE);
    }

    /** One that came by no connection. */
    static Call direct(HttpMethod method, String uri, MultiMap headers, Buffer body, Accept accept) {
        int query = uri.indexOf('?');
        return new Call(
                null,
                uri,
                headers,
                UUID.randomUUID().toString(),
                method,
                RawUrl.path(query < 0 ? uri : uri.substring(0, query)),
                RawUrl.query(uri),
                body,
                accept,
                Caller.master("kubernetes-admin"),
                new ArrayList<>(),
                Answer.AT_ONCE);
    }

    /**
     * @throws IllegalStateException when it came by no connection
     */
    HttpServerRequest request() {
        if (incoming == null) {
            throw new IllegalStateException(method + " " + uri + " came by no connection");
        }
        return incoming;
    }

    Call answered(Answer way) {
        return new Call(incoming, uri, headers, id, method, path, query, body, accept, caller, warnings, way);
    }

    String parameter(String name) {
        String value = query.get(name);
        return value == null ? "" : value;
    }

    String header(String name) {
        String value = headers.get(name);
        return value == null ? "" : value;
    }

    /** The media type of the body, without parameters; empty for none. */
    String contentType() {
        String type = header("Content-Type");
        int parameters = type.indexOf(';');
        return (parameters < 0 ? type : type.substring(0, parameters)).trim();
    }

    boolean flag(String name) {
        String value = parameter(name);
        return query.contains(name) && !value.equals("false") && !value.equals("0");
    }

    boolean asks(String name) {
        return query.contains(name);
    }

    /** @throws StatusException 400 when it is no number */
    long number(String name, long otherwise) {
        String value = parameter(name);
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw StatusException.badRequest("strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
        }
    }

    /**
     * The options of a write.
     *
     * @param kind such as {@code CreateOptions}, for the message
     * @throws StatusException 422 when one is not allowed
     */
    WriteOptions writeOptions(String kind) {
        List<FieldCause> causes = new ArrayList<>();
        String manager = parameter("fieldManager");
        if (manager.length() > 128) {
            causes.add(FieldCause.tooLong("fieldManager", 128));
        }
        for (int i = 0; i < manager.length(); i++) {
            char at = manager.charAt(i);
            if (Character.isISOControl(at) || (at != ' ' && Character.isSpaceChar(at))) {
                causes.add(FieldCause.invalid(
                        "fieldManager",
                        GoText.quote(manager),
                        String.format("invalid character U+%04X (at position %d)", (int) at, i)));
            }
        }
        List<String> dryRun = query.getAll("dryRun");
        if (!Set.of("All").containsAll(dryRun)) {
            causes.add(FieldCause.unsupported("dryRun", "[\"" + String.join("\",\"", dryRun) + "\"]", "\"All\""));
        }
        String validation = parameter("fieldValidation");
        if (!List.of("", "Ignore", "Warn", "Strict").contains(validation)) {
            causes.add(FieldCause.unsupported(
                    "fieldValidation", "\"" + validation + "\"", "\"\", \"Ignore\", \"Strict\", \"Warn\""));
        }
        if (!causes.isEmpty()) {
            throw StatusException.invalid("meta.k8s.io", kind, "", causes);
        }
        return new WriteOptions(
                caller,
                !dryRun.isEmpty(),
                manager.isEmpty() ? program() : manager,
                flag("force"),
                switch (validation) {
                    case "Ignore" -> UnknownFields.IGNORE;
                    case "Warn", "" -> UnknownFields.WARN;
                    default -> UnknownFields.STRICT;
                },
                asked(manager, validation),
                warnings::add);
    }

    /** Of a deletion, whose options come in one piece, from the body or from the query. */
    WriteOptions writeOptions(DeleteOptions how) {
        return new WriteOptions(
                caller, how.dryRun(), program(), false, UnknownFields.IGNORE, how.asked(), warnings::add);
    }

    private static ObjectNode asked(String manager, String validation) {
        ObjectNode asked = JsonNodeFactory.instance.objectNode();
        if (!manager.isEmpty()) {
            asked.put("fieldManager", manager);
        }
        if (!validation.isEmpty()) {
            asked.put("fieldValidation", validation);
        }
        return asked;
    }

    /** The client's program by its User-Agent, as managedFields name it. */
    private String program() {
        String agent = header("User-Agent");
        int slash = agent.indexOf('/');
        String name = slash < 0 ? agent : agent.substring(0, slash);
        return name.isEmpty() ? "unknown" : name.substring(0, Math.min(128, name.length()));
    }
}
