package io.busbar.sandbox.rbac;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.storage.ObjectStore;
import io.busbar.sandbox.syntax.TextFile;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Makes the roles and bindings that every cluster begins with, read from {@code bootstrap.txt}, unless they are there.
 *
 * <p>One context.
 */
public final class Bootstrap {

    private static final String GROUP_LABEL = "rbac.authorization.k8s.io/";

    private final ObjectStore store;

    public Bootstrap(ObjectStore store) {
        this.store = store;
    }

    public Future<Void> create() {
        List<Future<?>> made = new ArrayList<>();
        for (ObjectNode object : objects()) {
            GroupResource resource = new GroupResource(
                    RoleRef.GROUP, object.path("kind").asText().toLowerCase(Locale.ROOT) + "s");
            if (store.get(resource, Metadata.of(object).key()) == null) {
                made.add(store.create(resource, object));
            }
        }
        return Future.all(made).mapEmpty();
    }

    private static List<ObjectNode> objects() {
        List<ObjectNode> objects = new ArrayList<>();
        for (String line : TextFile.lines(Bootstrap.class, "bootstrap.txt")) {
            List<String> words = List.of(line.strip().split("\\s+", -1));
            if (line.startsWith(" ")) {
                detail(objects.get(objects.size() - 1), words);
            } else {
                objects.add(headed(words));
            }
        }
        return objects;
    }

    private static ObjectNode headed(List<String> words) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", words.get(0)).put("apiVersion", RoleRef.GROUP + "/v1");
        ObjectNode metadata = object.putObject("metadata").put("name", words.get(1));
        if (words.size() > 2) {
            metadata.put("namespace", words.get(2));
        }
        metadata.putObject("labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
        metadata.putObject("annotations").put("rbac.authorization.kubernetes.io/autoupdate", "true");
        return object;
    }

    private static void detail(ObjectNode object, List<String> words) {
        switch (words.get(0)) {
            case "label" -> object.withObject("/metadata/labels").put(GROUP_LABEL + words.get(1), "true");
            case "sum" ->
                object.withObject("/aggregationRule")
                        .withArray("clusterRoleSelectors")
                        .addObject()
                        .putObject("matchLabels")
                        .put(GROUP_LABEL + words.get(1), "true");
            case "path" -> {
                ObjectNode rule = object.withArray("rules").addObject();
                list(rule.putArray("verbs"), words.get(1));
                list(rule.putArray("nonResourceURLs"), words.get(2));
            }
            case "rule" -> {
                ObjectNode rule = object.withArray("rules").addObject();
                list(rule.putArray("verbs"), words.get(1));
                list(rule.putArray("apiGroups"), words.get(2));
                list(rule.putArray("resources"), words.get(3));
                if (words.size() > 4) {
                    list(rule.putArray("resourceNames"), words.get(4));
                }
            }
            case "binds" ->
                object.putObject("roleRef")
                        .put("apiGroup", RoleRef.GROUP)
                        .put("kind", "ClusterRole")
                        .put("name", words.get(1));
            case "Group" ->
                object.withArray("subjects")
                        .addObject()
                        .put("kind", "Group")
                        .put("apiGroup", RoleRef.GROUP)
                        .put("name", words.get(1));
            case "ServiceAccount" ->
                object.withArray("subjects")
                        .addObject()
                        .put("kind", "ServiceAccount")
                        .put("name", words.get(1))
                        .put("namespace", words.get(2));
            default -> throw new IllegalStateException("not understood: " + words);
        }
    }

    private static void list(ArrayNode array, String words) {
        for (String word : words.split(",", -1)) {
            array.add(word.equals("-") ? "" : word);
        }
    }
}
