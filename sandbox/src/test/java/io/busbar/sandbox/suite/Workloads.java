package io.busbar.sandbox.suite;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** What the cases of controllers share: paths within a namespace, Pods of a label, and waiting for an object. */
record Workloads(Api api, String namespace) {

    static final String TEMPLATE =
            "{'metadata':{'labels':{'app':'a'}},'spec':{'terminationGracePeriodSeconds':1,'containers':[{'name':'c','image':'x'}]}}";
    static final String SELECTOR = "'selector':{'matchLabels':{'app':'a'}}";

    String core(String plural) {
        return "/api/v1/namespaces/" + namespace + "/" + plural;
    }

    String apps(String plural) {
        return "/apis/apps/v1/namespaces/" + namespace + "/" + plural;
    }

    /** In the newest version of the group that the server has the kind in. */
    String newest(String group, String plural) {
        for (String version : List.of("v1", "v1beta1")) {
            for (JsonNode resource :
                    api.get("/apis/" + group + "/" + version).body().path("resources")) {
                if (resource.path("name").asText().equals(plural)) {
                    return "/apis/" + group + "/" + version + "/namespaces/" + namespace + "/" + plural;
                }
            }
        }
        throw new IllegalStateException(plural + "." + group + " is not served");
    }

    /** Makes a Pod, as soon as its service account is complete: 1.20 gives it a token some time after the namespace. */
    Answer createPod(String pod) {
        return Api.until(() -> api.post(core("pods"), pod), answer -> answer.code() == 201);
    }

    /** Waits until a value of an object is this one. */
    Answer until(String path, String pointer, String value) {
        return Api.until(() -> api.get(path), answer -> answer.text(pointer).equals(value));
    }

    /** Waits until so many Pods are there that are not being deleted. */
    List<JsonNode> pods(int count) {
        List<JsonNode> pods = new ArrayList<>();
        Api.until(() -> api.get(core("pods")), answer -> {
            pods.clear();
            answer.body().path("items").forEach(pod -> {
                if (!pod.path("metadata").has("deletionTimestamp")) {
                    pods.add(pod);
                }
            });
            return pods.size() == count;
        });
        return List.copyOf(pods);
    }

    static List<String> names(List<JsonNode> objects) {
        return objects.stream()
                .map(object -> object.at("/metadata/name").asText())
                .toList();
    }

    /** The reason of a condition, after {@code True}, {@code False} or {@code Unknown}. */
    static String condition(Answer object, String type) {
        for (JsonNode condition : object.body().at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText() + " "
                        + condition.path("reason").asText();
            }
        }
        return "";
    }

    Answer untilCondition(String path, String type, String value) {
        return Api.until(() -> api.get(path), answer -> condition(answer, type).equals(value));
    }
}
