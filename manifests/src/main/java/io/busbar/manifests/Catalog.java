package io.busbar.manifests;

import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the Operator Lifecycle Manager's catalogues show beside the words on an operator.
 *
 * <p>Immutable; methods return a changed copy.
 *
 * @param icon as SVG, if there is one
 * @param maintainers who answers for it
 * @param links where to read more, by what people see of each
 * @param replaces the version from which this one is an upgrade, if one was released: all from there on are a chain
 */
public record Catalog(
        Optional<String> icon, List<Maintainer> maintainers, SortedMap<String, URI> links, Optional<String> replaces) {

    public Catalog {
        maintainers = List.copyOf(maintainers);
        links = Collections.unmodifiableSortedMap(new TreeMap<>(links));
        replaces.ifPresent(version -> About.requireSemantic("the version that is replaced", version));
    }

    /**
     * Somebody, or some people together.
     *
     * @param email which public catalogues ask for
     */
    public record Maintainer(String name, Optional<String> email) {}

    /** Without any of that. */
    public static Catalog empty() {
        return new Catalog(Optional.empty(), List.of(), new TreeMap<>(), Optional.empty());
    }

    /**
     * With an icon.
     *
     * @param svg its text
     */
    public Catalog withIcon(String svg) {
        return new Catalog(Optional.of(svg), maintainers, links, replaces);
    }

    /** With these, in place of others. */
    public Catalog withMaintainers(Maintainer... who) {
        return new Catalog(icon, List.of(who), links, replaces);
    }

    /** With these, in place of others. */
    public Catalog withLinks(Map<String, URI> named) {
        return new Catalog(icon, maintainers, new TreeMap<>(named), replaces);
    }

    /**
     * As an upgrade.
     *
     * @param version semantic, such as {@code 1.1.0}
     * @throws IllegalArgumentException when it is none
     */
    public Catalog replacing(String version) {
        return new Catalog(icon, maintainers, links, Optional.of(version));
    }
}
