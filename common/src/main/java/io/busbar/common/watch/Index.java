package io.busbar.common.watch;

import java.util.Collection;
import java.util.function.Function;

/**
 * Files each object of a store under any number of values. Equal by name.
 *
 * <p>Immutable.
 *
 * @param name unique among the indexes of a type
 * @param values pure and quick: it runs on the watch's own context for each change
 */
public record Index<T>(String name, Function<? super T, ? extends Collection<String>> values) {

    @Override
    public boolean equals(Object other) {
        return other instanceof Index<?> index && index.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
