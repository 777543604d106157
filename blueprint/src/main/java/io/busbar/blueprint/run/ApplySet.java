package io.busbar.blueprint.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.MetadataKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where the objects of an instance are found, as the instance itself says it: in the labels and annotations of an
 * ApplySet (KEP-3659), which kubectl and others know. It says so of a kind before the first object of that kind is
 * there, and until the last has gone.
 *
 * <p>Immutable.
 *
 * @param kinds of objects, as {@code Kind.group}, or {@code Kind} in the core group
 * @param namespaces of objects, but for the instance's own
 */
record ApplySet(SortedSet<String> kinds, SortedSet<String> namespaces) {

    static final MetadataKey ID = MetadataKey.label(
            "applyset.kubernetes.io/id",
            "an instance of a Blueprint",
            "set by the operator: its name as an ApplySet, which the objects that it is made of have as part-of");
    static final MetadataKey PART_OF = MetadataKey.label(
            "applyset.kubernetes.io/part-of",
            "an object of a Blueprint's instance",
            "set by the operator: the ApplySet that it is of; by it the object is found when no revision makes its kind"
                    + " any more");
    static final MetadataKey TOOLING = MetadataKey.annotation(
            "applyset.kubernetes.io/tooling",
            "an instance of a Blueprint",
            "who keeps it as an ApplySet: busbar, and the version that has changed that last; an instance of another"
                    + " tool is left alone");
    static final MetadataKey KINDS = MetadataKey.annotation(
            "applyset.kubernetes.io/contains-group-kinds",
            "an instance of a Blueprint",
            "set by the operator: of which kinds it may have objects, also such as no revision makes any more");
    static final MetadataKey NAMESPACES = MetadataKey.annotation(
            "applyset.kubernetes.io/additional-namespaces",
            "an instance of a Blueprint",
            "set by the operator: the namespaces in which it has objects, but for its own");

    private static final String TOOL = "busbar";
    private static final String VERSION = Optional.ofNullable(
                    ApplySet.class.getPackage().getImplementationVersion())
            .orElse("dev");

    /** What can stand in the path of a URL as a group: anybody may have written it. */
    private static final Pattern KIND = Pattern.compile("[A-Za-z][A-Za-z0-9]*(\\.[a-z0-9]([a-z0-9.-]*[a-z0-9])?)?");

    ApplySet {
        kinds = new TreeSet<>(kinds);
        namespaces = new TreeSet<>(namespaces);
    }

    /** What an instance says now. */
    static ApplySet saidBy(HasMetadata instance) {
        return new ApplySet(items(KINDS, instance, KIND.asMatchPredicate()), items(NAMESPACES, instance, any -> true));
    }

    private static SortedSet<String> items(MetadataKey key, HasMetadata instance, Predicate<String> fits) {
        return Arrays.stream(key.of(instance).orElse("").split(","))
                .map(String::strip)
                .filter(item -> !item.isEmpty() && fits.test(item))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A kind as it is written here. */
    static String kind(String group, String kind) {
        return group.isEmpty() ? kind : kind + "." + group;
    }

    /** The name of an instance as an ApplySet: the same for one of the same kind, name and namespace. */
    static String idOf(HasMetadata instance) {
        String apiVersion = instance.getApiVersion();
        String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        String parent = String.join(
                ".",
                instance.getMetadata().getName(),
                Objects.requireNonNullElse(instance.getMetadata().getNamespace(), ""),
                instance.getKind(),
                group);
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(parent.getBytes(StandardCharsets.UTF_8));
            return "applyset-" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + "-v1";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each Java has it
        }
    }

    /** What an instance says of another tool that keeps it as an ApplySet; empty where none does. */
    static Optional<String> otherTool(HasMetadata instance) {
        return TOOLING.of(instance).filter(tooling -> !tooling.equals(TOOL) && !tooling.startsWith(TOOL + "/"));
    }

    /** All of both. */
    ApplySet and(ApplySet other) {
        SortedSet<String> allKinds = new TreeSet<>(kinds);
        allKinds.addAll(other.kinds);
        SortedSet<String> allNamespaces = new TreeSet<>(namespaces);
        allNamespaces.addAll(other.namespaces);
        return new ApplySet(allKinds, allNamespaces);
    }

    /**
     * What is to be applied so that an instance says this; empty where it does, if in the words of another version of
     * this tool.
     */
    Optional<ObjectNode> toApply(HasMetadata instance) {
        String kindList = String.join(",", kinds);
        String namespaceList = String.join(",", namespaces);
        boolean said = ID.of(instance).filter(idOf(instance)::equals).isPresent()
                && TOOLING.of(instance).isPresent()
                && KINDS.of(instance).filter(kindList::equals).isPresent()
                && NAMESPACES.of(instance).orElse("").equals(namespaceList);
        if (said) {
            return Optional.empty();
        }
        ObjectNode object = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", instance.getApiVersion())
                .put("kind", instance.getKind());
        ObjectNode metadata =
                object.putObject("metadata").put("name", instance.getMetadata().getName());
        if (instance.getMetadata().getNamespace() != null) {
            metadata.put("namespace", instance.getMetadata().getNamespace());
        }
        metadata.putObject("labels").put(ID.name(), idOf(instance));
        ObjectNode annotations = metadata.putObject("annotations")
                .put(TOOLING.name(), TOOL + "/" + VERSION)
                .put(KINDS.name(), kindList);
        if (!namespaces.isEmpty() || NAMESPACES.of(instance).isPresent()) {
            annotations.put(NAMESPACES.name(), namespaceList);
        }
        return Optional.of(object);
    }
}
