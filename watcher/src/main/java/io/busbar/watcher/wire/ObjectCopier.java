package io.busbar.watcher.wire;

import io.busbar.common.ObjectKey;
import io.busbar.common.ResourceType;
import io.busbar.common.internal.json.JsonScanner;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Copies objects, leaving out what is not kept: that is looked through, and never built. An object that is another
 * replica's is not looked at beyond its metadata.
 *
 * <p>Immutable.
 */
final class ObjectCopier {

    private static final byte[] NOTHING = {};

    private final ResourceType type;
    private final FieldTree fields;
    private final FieldTree metadata;

    /** How each copy begins, as the items of a list do not name their kind. */
    private final byte[] head;

    /** Null to keep all. */
    private final @Nullable Predicate<String> owners;

    /** @param owners as in {@link ResponseParser} */
    ObjectCopier(ResourceType type, FieldTree fields, @Nullable Predicate<String> owners) {
        this.type = type;
        this.fields = fields;
        this.metadata = fields.child("metadata");
        this.owners = owners;
        String kind = JsonObject.of("apiVersion", type.apiVersion(), "kind", type.kind())
                .encode();
        this.head = kind.substring(0, kind.length() - 1).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * @throws UnreadableResponseException when the object has no name
     * @throws io.busbar.common.internal.json.MalformedJsonException when it is not JSON
     */
    RawObject copy(Piece object) throws UnreadableResponseException {
        Copy copy = new Copy(object);
        copy.members();
        if (copy.name.isEmpty()) {
            throw new UnreadableResponseException("the API server sent an object without a name, of type " + type);
        }
        return copy.object();
    }

    /** One object. It is walked through without recursion, which costs a compiler more than the rest. */
    private final class Copy {

        private final byte[] text;
        private final int end;
        private final JsonScanner scanner;

        /** As long as it can get: what is copied is no longer than it was. */
        private final byte[] copy;

        private int length = head.length;

        /** What is kept of each object and list that is open, and whether something stands in its copy already. */
        private FieldTree[] trees = new FieldTree[8];

        private boolean[] comma = new boolean[8];
        private int depth;

        private String namespace = "";
        private String name = "";
        private String uid = "";
        private String resourceVersion = "";
        private String controllerUid = "";
        private boolean another;

        Copy(Piece object) {
            this.text = object.text();
            this.end = object.end();
            this.scanner = object.scanner();
            this.copy = Arrays.copyOf(head, head.length + object.length());
        }

        RawObject object() {
            return new RawObject(
                    ObjectKey.of(namespace, name),
                    uid,
                    resourceVersion,
                    another ? NOTHING : Arrays.copyOf(copy, length),
                    controllerUid,
                    another);
        }

        void members() {
            boolean more = enter(fields);
            comma[depth] = true; // behind the head
            while (depth > 0 && !another) {
                more = more ? value() : leave();
            }
        }

        /** Copies the value that is next, if it is kept, with its name, or enters it: whether there is another. */
        private boolean value() {
            FieldTree tree = trees[depth];
            FieldTree kept = scanner.inList() ? tree : tree.child(scanner);
            boolean nested = scanner.peek() == '{' || scanner.peek() == '[';
            boolean copied = kept.keeps(nested);
            int begin = scanner.position();
            if (tree == metadata && owners != null && scanner.nameIs("ownerReferences")) {
                controllerUid = Controllership.controllerUid(new JsonScanner(text, begin, end));
            }
            if (copied) {
                name(begin);
                if (nested && !kept.everything()) {
                    write(text[begin]);
                    return enter(kept);
                }
            }
            scanner.skip();
            if (copied) {
                write(begin, scanner.position());
            }
            if (tree == metadata) {
                identity(begin);
            }
            return scanner.next();
        }

        /** Copies what stands before a value: a comma behind another, and a member's name. */
        private void name(int value) {
            if (comma[depth]) {
                write(',');
            }
            comma[depth] = true;
            if (!scanner.inList()) {
                write(scanner.nameBegin(), value);
            }
        }

        private boolean enter(FieldTree tree) {
            depth++;
            if (depth == trees.length) {
                trees = Arrays.copyOf(trees, 2 * depth);
                comma = Arrays.copyOf(comma, 2 * depth);
            }
            trees[depth] = tree;
            comma[depth] = false;
            return scanner.enter();
        }

        /** Copies the bracket that was read last: whether there is another value behind it. */
        private boolean leave() {
            write(text[scanner.position() - 1]);
            another = owners != null && trees[depth] == metadata && !owners.test(controllerUid);
            depth--;
            return depth > 0 && scanner.next();
        }

        /** Reads the member of the metadata that was consumed. */
        private void identity(int begin) {
            if (text[begin] != '"') {
                return;
            }
            switch (scanner.name()) {
                case "namespace" -> namespace = string(begin);
                case "name" -> name = string(begin);
                case "uid" -> uid = string(begin);
                case "resourceVersion" -> resourceVersion = string(begin);
                default -> {
                    // no concern of ours
                }
            }
        }

        private String string(int begin) {
            return new JsonScanner(text, begin, scanner.position()).string();
        }

        private void write(int c) {
            copy[length++] = (byte) c;
        }

        private void write(int begin, int end) {
            System.arraycopy(text, begin, copy, length, end - begin);
            length += end - begin;
        }
    }
}
