package io.busbar.common.watch;

import java.util.function.UnaryOperator;

/**
 * Changes each object of a watch before it is stored, such as to leave out what nobody reads. Equal by name: whoever
 * declares the same watch with a transform of the same name shares it, and the function of the first is called.
 *
 * <p>Immutable.
 *
 * @param name says what is done, such as {@code without-data}; unique among the transforms of a type
 * @param function must not block and must keep the object's identity; called on the threads that receive objects
 */
public record Transform<T>(String name, UnaryOperator<T> function) {

    @Override
    public boolean equals(Object other) {
        return other instanceof Transform<?> transform && transform.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
