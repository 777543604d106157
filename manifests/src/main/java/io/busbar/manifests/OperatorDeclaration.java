package io.busbar.manifests;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * An operator as it is to be installed.
 *
 * <p>Immutable.
 *
 * @param name prefixes the names of all its objects; its namespace is {@code <name>-system}
 * @param image with a tag, such as {@code registry.example.com/shop:1.0}
 * @param about for people who look for one
 * @param command the first word that its image is told, which runs it
 * @param parts the controllers that run in it
 */
public record OperatorDeclaration(String name, String image, String command, About about, List<OperatorPart> parts) {

    /** Of an image that runs one operator. */
    public static final String RUN = "run";

    /** Leaves room for what is appended, within the 63 characters of a DNS label. */
    private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9-]{0,26}[a-z0-9])?");

    private static final Pattern IMAGE = Pattern.compile("[^\\s@]+:[A-Za-z0-9_][A-Za-z0-9_.-]*");

    public OperatorDeclaration {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name of an operator: " + name + ", allowed: " + NAME);
        }
        if (!IMAGE.matcher(image).matches()) {
            throw new IllegalArgumentException("image of operator " + name + ": " + image + ", allowed: NAME:TAG");
        }
        parts = List.copyOf(parts);
        Set<String> names = new HashSet<>();
        for (OperatorPart part : parts) {
            if (!names.add(part.name())) {
                throw new IllegalArgumentException("operator " + name + " has two parts of the name " + part.name()
                        + "; allowed: a name of its own for each");
            }
        }
    }

    /** One that is the only one of its image. */
    public OperatorDeclaration(String name, String image, About about, List<OperatorPart> parts) {
        this(name, image, RUN, about, parts);
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
        return new TreeSet<>(all(OperatorPart::converted));
    }

    /** Of all parts, in their order. */
    <T> List<T> all(Function<OperatorPart, ? extends Collection<T>> of) {
        return parts.stream().map(of).<T>flatMap(Collection::stream).toList();
    }
}
