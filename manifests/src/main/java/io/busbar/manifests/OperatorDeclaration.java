package io.busbar.manifests;

import io.busbar.manifests.crd.CrdGenerator;
import io.busbar.manifests.rbac.Permission;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

    /** What {@link #isName} takes, in words. */
    public static final String ALLOWED_NAMES =
            "at most 28 lower-case letters, digits and '-', the first a letter, the last" + " no '-'";

    /** Leaves room for what is appended, within the 63 characters of a DNS label. */
    private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9-]{0,26}[a-z0-9])?");

    private static final Pattern IMAGE = Pattern.compile("[^\\s@]+:[A-Za-z0-9_][A-Za-z0-9_.-]*");

    public OperatorDeclaration {
        if (!isName(name)) {
            throw new IllegalArgumentException("name of an operator: " + name + ", allowed: " + ALLOWED_NAMES);
        }
        if (!isImage(image)) {
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

    /** Whether an operator may be called so. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Whether an image may be called so: with a tag. */
    public static boolean isImage(String image) {
        return IMAGE.matcher(image).matches();
    }

    /** Its own. */
    public String namespace() {
        return name + "-system";
    }

    /**
     * The definitions of all its kinds, by name. Takes a second the first time.
     *
     * @throws IllegalArgumentException when a type has no schema, naming the field
     */
    public List<CustomResourceDefinition> definitions() {
        return Stream.concat(
                        CrdGenerator.generate(
                                all(OperatorPart::types).stream().distinct().toList())
                                .stream(),
                        all(OperatorPart::definitions).stream())
                .sorted(Comparator.comparing(
                        definition -> definition.getMetadata().getName()))
                .toList();
    }

    /** The accounts in its own namespace with whose rights its controllers work, each with its role and its binding. */
    public List<HasMetadata> accountObjects() {
        Form installed = Form.installed(this);
        return accounts().entrySet().stream()
                .flatMap(account -> Accounts.objects(installed, account.getKey(), account.getValue()).stream())
                .toList();
    }

    /** What the accounts may do with whose rights controllers work, by their names. */
    SortedMap<String, List<Permission>> accounts() {
        SortedMap<String, List<Permission>> accounts = new TreeMap<>();
        parts.forEach(part -> part.accounts()
                .forEach((account, allowed) -> accounts.merge(
                        account,
                        allowed,
                        (some, more) ->
                                Stream.concat(some.stream(), more.stream()).toList())));
        return accounts;
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
