package io.busbar.watcher.wire;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.json.JsonScanner;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Copies objects, leaving out what is not kept: that is looked through, and never built.
 *
 * <p>Immutable.
 */
final class ObjectCopier {

    private final ResourceType type;
    private final FieldTree fields;
    private final @Nullable FieldTree metadata;

    /** How each copy begins, as the items of a list do not name their kind. */
    private final byte[] head;

    ObjectCopier(ResourceType type, FieldTree fields) {
        this.type = type;
        this.fields = fields;
        this.metadata = fields.child("metadata");
        String kind = JsonObject.of("apiVersion", type.apiVersion(), "kind", type.kind())
                .encode();
        this.head = kind.substring(0, kind.length() - 1).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * @throws UnreadableResponseException when the object has no name
     * @throws io.busbar.common.json.MalformedJsonException when it is not JSON
     */
    RawObject copy(Piece object) throws UnreadableResponseException {
        Copy copy = new Copy(object);
        copy.members(fields, true);
        if (copy.name.isEmpty()) {
            throw new UnreadableResponseException("the API server sent an object without a name, of type " + type);
        }
        return copy.object();
    }

    /** One object. Methods consume the value that is next. */
    private final class Copy {

        private final byte[] text;
        private final JsonScanner scanner;

        /** As long as it can get: what is copied is no longer than it was. */
        private final byte[] copy;

        private int length = head.length;
        private String namespace = "";
        private String name = "";
        private String uid = "";
        private String resourceVersion = "";

        Copy(Piece object) {
            this.text = object.text();
            this.scanner = object.scanner();
            this.copy = Arrays.copyOf(head, head.length + object.length());
        }

        RawObject object() {
            return new RawObject(ObjectKey.of(namespace, name), uid, resourceVersion, Arrays.copyOf(copy, length));
        }

        /** Copies the members of an object that are kept, each behind a comma where another stands before it. */
        private void members(FieldTree tree, boolean behindOthers) {
            boolean comma = behindOthers;
            for (boolean more = scanner.firstMember(); more; more = scanner.nextMember()) {
                String member = scanner.name();
                int value = scanner.position();
                FieldTree kept = tree.child(member);
                if (kept != null && isKept(kept)) {
                    comma = comma(comma);
                    write(scanner.nameBegin(), value);
                    value(kept);
                } else {
                    scanner.skip();
                }
                if (tree == metadata) {
                    identity(member, value);
                }
            }
            write('}');
        }

        private void elements(FieldTree tree) {
            boolean comma = false;
            for (boolean more = scanner.firstElement(); more; more = scanner.nextElement()) {
                if (isKept(tree)) {
                    comma = comma(comma);
                    value(tree);
                } else {
                    scanner.skip();
                }
            }
            write(']');
        }

        private boolean isKept(FieldTree tree) {
            return tree.whole() || scanner.peek() == '{' || scanner.peek() == '[';
        }

        private void value(FieldTree tree) {
            if (scanner.peek() == '{' && !tree.everything()) {
                write('{');
                members(tree, false);
            } else if (scanner.peek() == '[' && !tree.everything()) {
                write('[');
                elements(tree);
            } else {
                int begin = scanner.position();
                scanner.skip();
                write(begin, scanner.position());
            }
        }

        private void identity(String member, int value) {
            switch (member) {
                case "namespace" -> namespace = string(value);
                case "name" -> name = string(value);
                case "uid" -> uid = string(value);
                case "resourceVersion" -> resourceVersion = string(value);
                default -> {
                    // no concern of ours
                }
            }
        }

        /** The value that was consumed, empty if it is no string. */
        private String string(int begin) {
            return text[begin] == '"' ? new JsonScanner(text, begin, scanner.position()).string() : "";
        }

        private boolean comma(boolean needed) {
            if (needed) {
                write(',');
            }
            return true;
        }

        private void write(char c) {
            copy[length++] = (byte) c;
        }

        private void write(int begin, int end) {
            System.arraycopy(text, begin, copy, length, end - begin);
            length += end - begin;
        }
    }
}
