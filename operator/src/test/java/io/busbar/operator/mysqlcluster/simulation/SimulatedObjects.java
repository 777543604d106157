package io.busbar.operator.mysqlcluster.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ObjectKey;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLRestore;
import io.busbar.operator.sidecarset.StoredObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the API server has, and how it answers the requests that the operator makes past its context. It knows no other requests, no
 * versions of objects, and no rights. For one thread at a time.
 */
final class SimulatedObjects {

    private static final String NAMESPACE = "/namespaces/default/";
    private static final SimulatedApi.Answer NOT_FOUND =
            new SimulatedApi.Answer(404, "{\"kind\":\"Status\",\"code\":404}");
    private static final SimulatedApi.Answer DONE = new SimulatedApi.Answer(200, "{}");

    private final Map<Class<?>, StoredObjects<? extends HasMetadata>> stored = new HashMap<>();

    @SuppressWarnings("unchecked") // put there under its own type
    <T extends HasMetadata> StoredObjects<T> of(Class<T> type) {
        return (StoredObjects<T>) stored.computeIfAbsent(type, absent -> new StoredObjects<T>());
    }

    @SuppressWarnings("unchecked") // its own class
    <T extends HasMetadata> void put(T object) {
        of((Class<T>) object.getClass()).put(object);
    }

    void copyFrom(SimulatedObjects others) {
        others.stored.values().forEach(kind -> kind.list().forEach(this::put));
    }

    SimulatedApi.Answer answer(String method, String path, String body) {
        String object = path.replaceFirst("\\?.*", "").replaceFirst("/status$", "");
        String name = object.substring(object.lastIndexOf('/') + 1);
        for (Class<? extends HasMetadata> type : List.of(Pod.class, MySQLCluster.class, MySQLRestore.class)) {
            if (path.contains(NAMESPACE + HasMetadata.getPlural(type) + "/")) {
                return method.equals("PATCH") ? patch(type, name, body) : found(of(type), name);
            }
        }
        if (path.contains(NAMESPACE + "pods?")) {
            return pods(path);
        }
        if (path.contains(NAMESPACE + "secrets")) {
            return secrets(method, name, body);
        }
        if (path.contains(NAMESPACE + "jobs/") && method.equals("DELETE")) {
            of(Job.class).remove(ObjectKey.of("default", name));
            of(Pod.class).remove(ObjectKey.of("default", name));
            return DONE;
        }
        if (path.contains("poddisruptionbudgets")) {
            return new SimulatedApi.Answer(200, body);
        }
        if (path.equals("/apis")) {
            return new SimulatedApi.Answer(200, "{\"kind\":\"APIGroupList\",\"groups\":[" + policy() + "]}");
        }
        if (path.equals("/apis/policy")) {
            return new SimulatedApi.Answer(200, policy());
        }
        throw new AssertionError("not answered: " + method + " " + path);
    }

    private static String policy() {
        return "{\"kind\":\"APIGroup\",\"name\":\"policy\",\"versions\":[{\"groupVersion\":\"policy/v1\",\"version\":\"v1\"}]}";
    }

    private <T extends HasMetadata> SimulatedApi.Answer patch(Class<T> type, String name, String body) {
        T before = of(type).get(ObjectKey.of("default", name)).orElse(null);
        if (before == null) {
            return NOT_FOUND;
        }
        ObjectNode merged = Serialization.unmarshal(Serialization.asJson(before), ObjectNode.class);
        merge(merged, Serialization.unmarshal(body, ObjectNode.class));
        put(Serialization.unmarshal(merged.toString(), type));
        return new SimulatedApi.Answer(200, merged.toString());
    }

    /** As RFC 7386 has it. */
    private static void merge(ObjectNode target, ObjectNode patch) {
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode object) {
                merge(
                        target.get(field.getKey()) instanceof ObjectNode before
                                ? before
                                : target.putObject(field.getKey()),
                        object);
            } else {
                target.set(field.getKey(), field.getValue());
            }
        });
    }

    private SimulatedApi.Answer pods(String path) {
        String job = path.replaceFirst(".*job-name(=|%3D)", "").replaceFirst("&.*", "");
        List<Pod> pods = of(Pod.class).list().stream()
                .filter(pod -> job.equals(pod.getMetadata().getLabels().get("job-name")))
                .toList();
        return new SimulatedApi.Answer(
                200,
                Serialization.asJson(new PodListBuilder()
                        .withMetadata(new ListMeta())
                        .withItems(pods)
                        .build()));
    }

    private SimulatedApi.Answer secrets(String method, String name, String body) {
        if (method.equals("POST")) {
            Secret made = Serialization.unmarshal(body, Secret.class);
            Map<String, String> data = new HashMap<>();
            made.getStringData()
                    .forEach((key, value) ->
                            data.put(key, Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
            made.setData(data);
            made.setStringData(null);
            put(made);
            return new SimulatedApi.Answer(201, Serialization.asJson(made));
        }
        return found(of(Secret.class), name);
    }

    private static SimulatedApi.Answer found(StoredObjects<?> kind, String name) {
        return kind.get(ObjectKey.of("default", name))
                .map(object -> new SimulatedApi.Answer(200, Serialization.asJson(object)))
                .orElse(NOT_FOUND);
    }
}
