package io.busbar.sandbox.resource;

import io.busbar.sandbox.storage.GroupResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Everything that is served now.
 *
 * <p>One context.
 */
public final class Catalog {

    private record Url(String group, String version, String plural) {}

    private final Map<Url, Resource> byUrl = new LinkedHashMap<>();
    private final Map<GroupResource, Resource> byStorage = new LinkedHashMap<>();
    private final List<Runnable> listeners = new ArrayList<>();
    private long generation;

    public Catalog(List<Resource> builtIn) {
        builtIn.forEach(this::add);
    }

    /** Raised by each change, for those who cache what they make of this. */
    public long generation() {
        return generation;
    }

    /** Calls a listener after each change. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Whether what was found earlier is still served, and in the same way. */
    public boolean serves(Resource resource) {
        Resource now = byUrl.get(url(resource));
        CustomVersion before = resource.custom();
        return now != null
                && (before == null || now.custom() == null || now.custom().since() == before.since());
    }

    public Optional<Resource> find(String group, String version, String plural) {
        return Optional.ofNullable(byUrl.get(new Url(group, version, plural)));
    }

    /** What is kept and served as a kind of a version, such as {@code apps/v1}, as owner references name it. */
    public Optional<Resource> kind(String apiVersion, String kind) {
        return byUrl.values().stream()
                .filter(resource -> resource.type().kind().equals(kind)
                        && resource.type().apiVersion().equals(apiVersion)
                        && resource.stored())
                .findFirst();
    }

    /** The version in which objects of this storage are kept. */
    public Optional<Resource> stored(GroupResource storage) {
        return Optional.ofNullable(byStorage.get(storage));
    }

    /** One for each kind that is kept, in the version that is stored. */
    public Collection<Resource> stored() {
        return List.copyOf(byStorage.values());
    }

    /** All versions that are served of what is kept under one storage. */
    public List<Resource> served(GroupResource storage) {
        return byUrl.values().stream()
                .filter(resource -> resource.storage().equals(storage))
                .toList();
    }

    /** Names of all groups but the core one, as they came. */
    public List<String> groups() {
        return byUrl.keySet().stream()
                .map(Url::group)
                .filter(Predicate.not(String::isEmpty))
                .distinct()
                .toList();
    }

    /** The versions of a group, the preferred one first. */
    public List<String> versions(String group) {
        return byUrl.keySet().stream()
                .filter(url -> url.group().equals(group))
                .map(Url::version)
                .distinct()
                .sorted(VersionOrder.PREFERRED_FIRST)
                .toList();
    }

    public List<Resource> resources(String group, String version) {
        return byUrl.values().stream()
                .filter(resource -> resource.type().group().equals(group)
                        && resource.type().version().equals(version))
                .sorted(Comparator.comparing(resource -> resource.type().plural()))
                .toList();
    }

    /** Replaces all versions of a kind by those given, none for a kind that is no longer served. */
    public void replace(GroupResource storage, List<Resource> versions, Optional<Resource> stored) {
        byUrl.values().removeIf(resource -> resource.storage().equals(storage));
        byStorage.remove(storage);
        versions.forEach(this::serve);
        stored.ifPresent(resource -> byStorage.put(storage, resource));
        generation++;
        listeners.forEach(Runnable::run);
    }

    private void add(Resource resource) {
        serve(resource);
        if (resource.stored()) {
            byStorage.putIfAbsent(resource.storage(), resource);
        }
    }

    private void serve(Resource resource) {
        byUrl.put(url(resource), resource);
    }

    private static Url url(Resource resource) {
        return new Url(
                resource.type().group(),
                resource.type().version(),
                resource.type().plural());
    }
}
