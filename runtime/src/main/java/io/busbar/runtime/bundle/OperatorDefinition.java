package io.busbar.runtime.bundle;

import io.busbar.manifests.About;
import io.busbar.manifests.ManifestTree;
import io.busbar.manifests.OperatorDeclaration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An operator as its authors define it: what it is called, what people are told of it, and what runs in it.
 *
 * <p>Immutable, but for the flags of the bundles, which a command sets.
 *
 * @param name begins the names of all that it is installed with, and is that of its command; its namespace is {@code
 *     <name>-system}, and its flags may be given as environment variables that begin with it, in upper case
 * @param image with a tag, such as {@code registry.example.com/shop:1.0}
 * @param command the first word that the image is told, which runs it: {@code run}, or its name as a program of another
 *     operator, see {@link io.busbar.runtime.BusbarOperator#withProgram}
 * @param bundles one at least
 */
public record OperatorDefinition(String name, String image, String command, About about, List<Bundle> bundles) {

    private static final String PROPERTIES = "operator.properties";

    /**
     * @throws IllegalArgumentException when there is no bundle, or two have the same name, or the name, the image or
     *     the version are none
     */
    public OperatorDefinition {
        bundles = List.copyOf(bundles);
        if (bundles.isEmpty()) {
            throw new IllegalArgumentException("operator " + name + " has no bundle; allowed: one or more");
        }
        Set<String> names = new HashSet<>();
        for (Bundle bundle : bundles) {
            if (!names.add(bundle.name())) {
                throw new IllegalArgumentException("operator " + name + " has two bundles of the name " + bundle.name()
                        + "; allowed: a name of its own for each");
            }
        }
        OperatorDeclaration unused = new OperatorDeclaration(name, image, about, List.of());
    }

    /**
     * One with an image of its own.
     *
     * @throws IllegalArgumentException as the other does
     */
    public OperatorDefinition(String name, String image, About about, List<Bundle> bundles) {
        this(name, image, OperatorDeclaration.RUN, about, bundles);
    }

    /**
     * An operator with the name of its first bundle, the version of that one's jar, and the image
     * {@code <name>:latest}. The version is {@code version} in a file {@code operator.properties} beside the bundle's
     * class, which the build fills in, so that it is the same where the classes are in no jar; without that file
     * {@code Implementation-Version} in the jar's manifest, else 0.0.0.
     *
     * @throws IllegalArgumentException when that file is there and has no version
     */
    public static OperatorDefinition of(Bundle first, Bundle... more) {
        String version = version(first.getClass());
        About about =
                new About(version, first.name(), "Runs " + first.name() + ".", "", "", Optional.empty(), List.of());
        List<Bundle> bundles = new ArrayList<>(List.of(first));
        bundles.addAll(List.of(more));
        return new OperatorDefinition(first.name(), first.name() + ":latest", about, bundles);
    }

    private static String version(Class<?> bundle) {
        try (InputStream file = bundle.getResourceAsStream(PROPERTIES)) {
            if (file == null) {
                return Optional.ofNullable(bundle.getPackage().getImplementationVersion())
                        .orElse("0.0.0");
            }
            Properties properties = new Properties();
            properties.load(file);
            String version = properties.getProperty("version", "").strip();
            if (version.isEmpty() || version.startsWith("${")) {
                throw new IllegalArgumentException(
                        PROPERTIES + " beside " + bundle.getName() + ": version: '" + version
                                + "'; allowed: the version of the project, which the build fills in where it filters that file");
            }
            return version;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The operator's own, where nothing else is said. */
    public String namespace() {
        return new OperatorDeclaration(name, image, about, List.of()).namespace();
    }

    /** In which the code of the bundles is. */
    public Set<String> packages() {
        return bundles.stream()
                .map(bundle -> bundle.getClass().getPackageName())
                .collect(Collectors.toSet());
    }

    /** What is to be installed in a cluster. */
    public OperatorDeclaration declaration() {
        BundleContext context = BundleContext.declaring(namespace());
        return new OperatorDeclaration(
                name,
                image,
                command,
                about,
                bundles.stream()
                        .map(bundle -> DeclaredBundle.of(bundle, context).part())
                        .toList());
    }

    /** What installs it, for kustomize, kubectl, Helm and OLM. Takes a second the first time. */
    public ManifestTree manifests() {
        return ManifestTree.of(declaration());
    }

    /** The definitions of all its kinds. Takes a second the first time. */
    public List<CustomResourceDefinition> crds() {
        return declaration().definitions();
    }
}
