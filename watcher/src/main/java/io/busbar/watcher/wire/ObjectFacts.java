package io.busbar.watcher.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * The few values that are read of an object while it passes: its identity, a bookmark's mark, a Status's code and message.
 *
 * <p>For one thread at a time.
 */
final class ObjectFacts {

    /** Source: KEP-3157, watch list. */
    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    private final String[] path = {"", "", "", ""};
    private String namespace = "";
    private String name = "";
    private String uid = "";
    private String resourceVersion = "";
    private String continuation = "";
    private String message = "";
    private int code;
    private boolean endsInitialEvents;

    /** A member begins at a depth, 1 for those of the object itself. */
    void enter(int depth, String member) {
        if (depth < path.length) {
            path[depth] = member;
        }
    }

    /** The value of the member that was entered last at this depth. */
    void scalar(int depth, JsonToken token, JsonParser parser) throws IOException {
        if (depth == 1 && token == JsonToken.VALUE_NUMBER_INT && path[1].equals("code")) {
            code = parser.getIntValue();
        } else if (token == JsonToken.VALUE_STRING && depth == 1 && path[1].equals("message")) {
            message = parser.getText();
        } else if (token == JsonToken.VALUE_STRING && depth == 2 && path[1].equals("metadata")) {
            metadata(parser);
        } else if (token == JsonToken.VALUE_STRING && depth == 3 && path[3].equals(INITIAL_EVENTS_END)) {
            endsInitialEvents |=
                    path[2].equals("annotations") && parser.getText().equals("true");
        }
    }

    private void metadata(JsonParser parser) throws IOException {
        switch (path[2]) {
            case "namespace" -> namespace = parser.getText();
            case "name" -> name = parser.getText();
            case "uid" -> uid = parser.getText();
            case "resourceVersion" -> resourceVersion = parser.getText();
            case "continue" -> continuation = parser.getText();
            default -> {
                // no concern of ours
            }
        }
    }

    String namespace() {
        return namespace;
    }

    String name() {
        return name;
    }

    String uid() {
        return uid;
    }

    String resourceVersion() {
        return resourceVersion;
    }

    String continuation() {
        return continuation;
    }

    String message() {
        return message;
    }

    int code() {
        return code;
    }

    boolean endsInitialEvents() {
        return endsInitialEvents;
    }
}
