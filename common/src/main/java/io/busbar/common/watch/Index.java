package io.busbar.common.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.function.Function;

/**
 * Files each object of a store under any number of values. Equal by name.
 *
 * <p>Immutable.
 *
 * @param name unique among the indexes that one controller declares of a type; two controllers may give one name to
 *     two functions, and each reads its own
 * @param values pure and quick: it runs on the watch's own context for each change
 * @param readsMetadataOnly whether spec and status may be missing in the objects that {@code values} is shown
 */
public record Index<T>(
        String name, Function<? super T, ? extends Collection<String>> values, boolean readsMetadataOnly) {

    public Index(String name, Function<? super T, ? extends Collection<String>> values) {
        this(name, values, false);
    }

    /** One that looks at metadata only: the objects that it is shown need have nothing else. */
    public static <T extends HasMetadata> Index<T> ofMetadata(
            String name, Function<HasMetadata, ? extends Collection<String>> values) {
        return new Index<>(name, values, true);
    }

    /**
     * Whether another index files objects by the same code: by the same function, or by the same lambda or class, with
     * whatever it has captured.
     */
    public boolean filesAs(Index<?> other) {
        return values == other.values || values.getClass() == other.values.getClass();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Index<?> index && index.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
