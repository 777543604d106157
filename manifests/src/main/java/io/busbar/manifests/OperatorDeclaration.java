package io.busbar.manifests;

import io.busbar.manifests.crd.Converted;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An operator as it is to be installed.
 *
 * <p>Immutable.
 *
 * @param name prefixes the names of all its objects; its namespace is {@code <name>-system}
 * @param image with a tag, such as {@code registry.example.com/shop:1.0}
 * @param about for people who look for one
 * @param parts the controllers that run in it
 */
public record OperatorDeclaration(String name, String image, About about, List<OperatorPart> parts) {

    /** Leaves room for what is appended, within the 63 characters of a DNS label. */
    private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9-]{0,28}[a-z0-9])?");

    private static final Pattern IMAGE = Pattern.compile("[^\\s@]+:[A-Za-z0-9_][A-Za-z0-9_.-]*");

    public OperatorDeclaration {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name of an operator: " + name + ", allowed: " + NAME);
        }
        if (!IMAGE.matcher(image).matches()) {
            throw new IllegalArgumentException("image of operator " + name + ": " + image + ", allowed: NAME:TAG");
        }
        parts = List.copyOf(parts);
    }

    /** Its own. */
    public String namespace() {
        return name + "-system";
    }

    /** Of the names of all that it is installed with. */
    String prefix() {
        return name + "-";
    }

    /** Names of the definitions of kinds with versions that its webhook converts. */
    SortedSet<String> converted() {
        return all(OperatorPart::types).stream()
                .filter(type -> type.isAnnotationPresent(Converted.class))
                .<String>map(HasMetadata::getFullResourceName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Of all parts, in their order. */
    <T> List<T> all(Function<OperatorPart, ? extends Collection<T>> of) {
        return parts.stream().map(of).<T>flatMap(Collection::stream).toList();
    }
}
