package io.busbar.watcher.wire;

import io.busbar.common.internal.json.JsonScanner;
import java.util.function.Consumer;

/**
 * The few values that are read of a list, of the frame of a watch event, of a bookmark and of a Status. Each has some
 * of them; those that it lacks are empty, 0 or false.
 *
 * <p>One thread.
 */
final class Facts {

    /** Source: KEP-3157, watch list. */
    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    private final JsonScanner scanner;
    private String type = "";
    private boolean list;
    private String resourceVersion = "";
    private String continuation = "";
    private boolean endsInitialEvents;
    private int code;
    private String message = "";

    /** @throws io.busbar.common.internal.json.MalformedJsonException when it is not JSON */
    Facts(Piece object) {
        this.scanner = object.scanner();
        members(this::top);
    }

    String type() {
        return type;
    }

    boolean list() {
        return list;
    }

    String resourceVersion() {
        return resourceVersion;
    }

    String continuation() {
        return continuation;
    }

    boolean endsInitialEvents() {
        return endsInitialEvents;
    }

    int code() {
        return code;
    }

    String message() {
        return message;
    }

    private void top(String member) {
        switch (member) {
            case "type" -> type = string();
            case "metadata" -> members(this::metadata);
            case "code" -> code = integer();
            case "message" -> message = string();
            case "items" -> {
                list = true; // null too, as Go writes an empty slice
                scanner.skip();
            }
            default -> scanner.skip();
        }
    }

    private void metadata(String member) {
        switch (member) {
            case "resourceVersion" -> resourceVersion = string();
            case "continue" -> continuation = string();
            case "annotations" -> members(this::annotation);
            default -> scanner.skip();
        }
    }

    private void annotation(String name) {
        String value = string();
        endsInitialEvents |= name.equals(INITIAL_EVENTS_END) && value.equals("true");
    }

    /** Consumes a value. Each member, if it is an object, must consume its own. */
    private void members(Consumer<String> member) {
        if (scanner.peek() != '{') {
            scanner.skip();
            return;
        }
        for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
            member.accept(scanner.name());
        }
    }

    private String string() {
        if (scanner.peek() == '"') {
            return scanner.string();
        }
        scanner.skip();
        return "";
    }

    private int integer() {
        try {
            return Integer.parseInt(scanner.literal());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
