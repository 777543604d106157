package io.busbar.sandbox.suite;

import java.util.concurrent.ThreadLocalRandom;

/** An API group that nobody else has, with definitions in it, for one case. */
final class CustomGroup implements AutoCloseable {

    static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private final Api api;
    private final String name =
            "g" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36) + ".example.com";

    CustomGroup(Api api) {
        this.api = api;
    }

    String name() {
        return name;
    }

    /** The URL of a definition. */
    String definition(String plural) {
        return DEFINITIONS + "/" + plural + "." + name;
    }

    /** A definition of {@code widgets}, in JSON. */
    String widgets(String more, String... versions) {
        return definition(
                "widgets",
                "{'plural':'widgets','singular':'widget','kind':'Widget'}",
                String.join(",", versions),
                more);
    }

    /** @param more fields of the spec, each with a comma before it */
    String definition(String plural, String names, String versions, String more) {
        return "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':'" + plural
                + "." + name + "'},'spec':{'group':'" + name + "','scope':'Namespaced','names':" + names
                + ",'versions':[" + versions + "]" + more + "}}";
    }

    /** A version that is served. */
    static String version(String name, boolean storage, String schema, String more) {
        return "{'name':'" + name + "','served':true,'storage':" + storage + ",'schema':{'openAPIV3Schema':" + schema
                + "}" + more + "}";
    }

    /** Makes a definition, whatever the answer. */
    Answer define(String definition) {
        return api.post(DEFINITIONS, definition);
    }

    /** Makes a definition of {@code widgets} and waits until all of its versions are served. */
    Answer serve(String definition) {
        Answer made = define(definition);
        if (made.code() != 201) {
            throw new AssertionError(made.message());
        }
        made.body().at("/spec/versions").forEach(version -> {
            String url = "/apis/" + name + "/" + version.path("name").asText() + "/widgets";
            Api.until(() -> api.get(url), answer -> answer.code() != 404 && answer.code() != 503);
        });
        return made;
    }

    /** An object of {@code widgets}, in JSON. */
    String widget(String version, String object, String more) {
        return "{'apiVersion':'" + name + "/" + version + "','kind':'Widget','metadata':{'name':'" + object + "'}"
                + more + "}";
    }

    String url(String version, String namespace) {
        return "/apis/" + name + "/" + version + "/namespaces/" + namespace + "/widgets";
    }

    @Override
    public void close() {
        api.get(DEFINITIONS).body().path("items").forEach(definition -> {
            if (definition.at("/spec/group").asText().equals(name)) {
                api.delete(DEFINITIONS + "/" + definition.at("/metadata/name").asText());
            }
        });
    }
}
