package io.busbar.scaffold.project;

import io.fabric8.kubernetes.api.Pluralize;
import java.util.Locale;
import javax.lang.model.SourceVersion;

/**
 * One version of a kind of a project.
 *
 * <p>Immutable; methods return a changed copy.
 *
 * @param group without the domain; empty where the domain alone is the group
 * @param plural in lower case
 * @param path the Java package of its types
 * @param api whether the project has its types, and their scope
 * @param controller whether the project reconciles it
 */
public record ProjectResource(
        String group,
        String domain,
        String version,
        String kind,
        String plural,
        String path,
        Api api,
        boolean controller,
        Webhooks webhooks) {

    /** The types of a version. */
    public enum Api {
        NONE,
        CLUSTER_SCOPED,
        NAMESPACED
    }

    /** The plural that fabric8 gives a kind that says none. */
    public static String regularPlural(String kind) {
        return Pluralize.toPlural(kind.toLowerCase(Locale.ROOT));
    }

    /** As Kubernetes knows it, such as {@code shop.example.com}. */
    public String qualifiedGroup() {
        return group.isEmpty() ? domain : group + "." + domain;
    }

    /** Of its kind, without the version: {@code crates.shop.example.com}. */
    public String fullName() {
        return plural + "." + qualifiedGroup();
    }

    /** Such as {@code Crate shop.example.com/v1}. */
    @Override
    public String toString() {
        return kind + " " + qualifiedGroup() + "/" + version;
    }

    public boolean isVersionOf(ProjectResource other) {
        return kind.equals(other.kind) && qualifiedGroup().equals(other.qualifiedGroup());
    }

    public boolean isSame(ProjectResource other) {
        return isVersionOf(other) && version.equals(other.version);
    }

    public boolean hasRegularPlural() {
        return plural.equals(regularPlural(kind));
    }

    /** The Java package of what all versions share: that of the types, less its last part. */
    public String kindPackage() {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? path : path.substring(0, dot);
    }

    /** For variables that hold one. */
    public String variable() {
        return identifier(kind.substring(0, 1).toLowerCase(Locale.ROOT) + kind.substring(1));
    }

    /** A part of a package's name, from a kind or a group. */
    public static String packagePart(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return identifier(Character.isDigit(plain.charAt(0)) ? "_" + plain : plain);
    }

    private static String identifier(String word) {
        return SourceVersion.isKeyword(word) ? word + "_" : word;
    }

    public ProjectResource with(Webhooks others) {
        return new ProjectResource(group, domain, version, kind, plural, path, api, controller, others);
    }

    public ProjectResource withController() {
        return new ProjectResource(group, domain, version, kind, plural, path, api, true, webhooks);
    }
}
