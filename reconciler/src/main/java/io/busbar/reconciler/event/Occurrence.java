package io.busbar.reconciler.event;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to an object. Equal ones are one series.
 *
 * <p>Immutable.
 *
 * @param controller who reports it
 * @param type Normal or Warning
 * @param note at most {@value #MOST_NOTE_BYTES} bytes in UTF-8, as the API server demands
 */
record Occurrence(String controller, Regarding regarding, String type, String reason, String action, String note) {

    private static final int MOST_NOTE_BYTES = 1024;

    /** What an Event points at; without the resourceVersion, which would make each occurrence another. */
    record Regarding(String apiVersion, String kind, String namespace, String name, String uid) {

        static Regarding of(HasMetadata object) {
            return new Regarding(
                    object.getApiVersion(),
                    object.getKind(),
                    orEmpty(object.getMetadata().getNamespace()),
                    object.getMetadata().getName(),
                    orEmpty(object.getMetadata().getUid()));
        }

        ObjectReference reference() {
            return new ObjectReferenceBuilder()
                    .withApiVersion(apiVersion)
                    .withKind(kind)
                    .withNamespace(namespace.isEmpty() ? null : namespace)
                    .withName(name)
                    .withUid(uid)
                    .build();
        }
    }

    Occurrence {
        note = cut(note);
    }

    /** Cuts between characters, never within one. */
    private static String cut(String note) {
        CharBuffer characters = CharBuffer.wrap(note);
        StandardCharsets.UTF_8.newEncoder().encode(characters, ByteBuffer.allocate(MOST_NOTE_BYTES), true);
        return note.substring(0, characters.position());
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
