package io.busbar.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An annotation, a label or a finalizer that means something to an operator, declared once: the code that reads or
 * writes it and the reference that explains it share the constant.
 *
 * <pre>{@code
 * static final MetadataKey SKIP = MetadataKey.annotation("shop.example.com/skip", "a Crate", "\"true\" has it left out of the sale");
 * // …
 * boolean skipped = SKIP.of(crate).filter("true"::equals).isPresent();
 * }</pre>
 *
 * <p>Immutable.
 *
 * @param name in full, with its prefix; what varies in capitals
 * @param on which objects it stands: a phrase for people
 * @param meaning what it does or tells, and who sets it: a clause for people, in lower case and without a full stop
 */
public record MetadataKey(Place place, String name, String on, String meaning) {

    /** Where in the metadata it stands. */
    public enum Place {
        ANNOTATION,
        LABEL,
        FINALIZER
    }

    public static MetadataKey annotation(String name, String on, String meaning) {
        return new MetadataKey(Place.ANNOTATION, name, on, meaning);
    }

    public static MetadataKey label(String name, String on, String meaning) {
        return new MetadataKey(Place.LABEL, name, on, meaning);
    }

    public static MetadataKey finalizer(String name, String on, String meaning) {
        return new MetadataKey(Place.FINALIZER, name, on, meaning);
    }

    /**
     * The value that an object has under this annotation or label; empty where it has none.
     *
     * @throws IllegalStateException for a finalizer, which has no value
     */
    public Optional<String> of(HasMetadata object) {
        @Nullable
        Map<String, String> values = switch (place) {
            case ANNOTATION -> object.getMetadata().getAnnotations();
            case LABEL -> object.getMetadata().getLabels();
            case FINALIZER -> throw new IllegalStateException("a finalizer has no value: " + name);
        };
        return Optional.ofNullable(values).map(all -> all.get(name));
    }
}
