package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What holds for kinds that only record something: ConfigMaps, Secrets, Leases, Events. */
class RecordTest {

    private static final String TIME = "2020-01-01T00:00:00.000000Z";

    private final Api api = Server.api();
    private final String namespace = api.newNamespace();
    private final String core = "/api/v1/namespaces/" + namespace + "/";
    private final String events = "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";

    private String event(String more) {
        return "{'metadata':{'name':'e'},'reportingController':'a.example/c','reportingInstance':'c-1','action':'Do',"
                + "'reason':'Done','type':'Normal','regarding':{'kind':'Pod','name':'p','namespace':'" + namespace
                + "'}," + more + "}";
    }

    @Test
    void keys_of_config_maps_and_secrets_are_names_of_files() {
        Answer refused = api.post(core + "configmaps", "{'metadata':{'name':'a'},'data':{'..':'1','..a':'1','.':'1'}}");
        assertThat(refused.causes())
                .containsExactlyInAnyOrder(
                        "FieldValueInvalid data[..]: Invalid value: \"..\": must not be '..'",
                        "FieldValueInvalid data[..a]: Invalid value: \"..a\": must not start with '..'",
                        "FieldValueInvalid data[.]: Invalid value: \".\": must not be '.'");
        assertThat(api.post(core + "secrets", "{'metadata':{'name':'a'},'data':{'..':'eA=='}}")
                        .code())
                .isEqualTo(422);
    }

    @Test
    void a_config_map_has_a_size() {
        String most = "x".repeat(1024 * 1024);
        Answer refused = api.post(core + "configmaps", "{'metadata':{'name':'a'},'data':{'k':'" + most + "','m':'x'}}");
        assertThat(refused.message())
                .isEqualTo("ConfigMap \"a\" is invalid: []: Too long: "
                        + Server.since(36, "may not be more than", "must have at most") + " 1048576 bytes");
        String bytes = "eHh4".repeat(349_525);
        assertThat(api.post(
                                core + "configmaps?dryRun=All",
                                "{'metadata':{'name':'a'},'binaryData':{'k':'" + bytes + "'}}")
                        .code())
                .as("bytes count, not how they are written")
                .isEqualTo(201);
    }

    @Test
    void a_secret_for_registries_is_an_object() {
        String secret = "{'metadata':{'name':'a'},'type':'kubernetes.io/dockercfg','stringData':{'.dockercfg':'%s'}}";
        assertThat(api.post(core + "secrets", secret.formatted("[]")).message())
                .endsWith("json: cannot unmarshal array into Go value of type map[string]interface {}");
        assertThat(api.post(core + "secrets", secret.formatted("{}")).code()).isEqualTo(201);
    }

    @Test
    @Since(value = "1.36", why = "the fields of coordinated elections, which are off,")
    void a_lease_drops_how_its_holder_is_chosen() {
        Answer made = api.post(
                "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases",
                "{'metadata':{'name':'a'},'spec':{'strategy':'Odd','preferredHolder':'x','holderIdentity':'y'}}");
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.body().path("spec").toString()).isEqualTo("{\"holderIdentity\":\"y\"}");
    }

    @Test
    void times_are_told_in_utc() {
        String at = "'regarding':{'kind':'Pod','name':'p','namespace':'" + namespace + "'}";
        Answer made = api.post(events, event("'eventTime':'2020-01-01T01:00:00.123456+02:00'," + at));
        assertThat(made.text("/eventTime")).isEqualTo("2019-12-31T23:00:00.123456Z");
        Answer old = api.post(
                core + "events",
                "{'metadata':{'name':'o'},'firstTimestamp':'2020-01-01T01:00:00.5+02:00','involvedObject':"
                        + "{'kind':'Pod','name':'p','namespace':'" + namespace + "'}}");
        assertThat(old.text("/firstTimestamp")).isEqualTo("2019-12-31T23:00:00Z");
    }

    @Test
    @Since(value = "1.21", why = "events that cannot be changed")
    void an_event_stays_as_it_was_told() {
        Answer old = api.post(events, event("'eventTime':'" + TIME + "','deprecatedSource':{'component':'c'}"));
        assertThat(old.causes()).containsExactly("FieldValueInvalid source: Invalid value: \"\": needs to be unset");
        assertThat(api.post(events, event("'eventTime':'" + TIME + "'")).code()).isEqualTo(201);
        Answer refused = api.patch(
                events + "/e",
                Api.MERGE,
                "{'type':'Warning','reason':'Other','note':'n','eventTime':'2021-01-01T00:00:00.000000Z'}");
        assertThat(refused.message())
                .containsSubsequence(
                        "reason: Invalid value: \"Other\": field is immutable",
                        "message: Invalid value: \"n\": field is immutable",
                        "type: Invalid value: \"Warning\": field is immutable",
                        "eventTime: Invalid value: ");
        Answer other = api.patch(core + "events/e", Api.MERGE, "{'count':2}");
        assertThat(other.code()).as("the core group lets it change").isEqualTo(200);
        Answer kept = api.patch(events + "/e", Api.MERGE, "{'metadata':{'labels':{'l':'1'}}}");
        assertThat(kept.code()).as(kept.message()).isEqualTo(200);
    }

    @Test
    void an_event_of_the_core_group_has_nearly_any_name() {
        String event =
                "{'metadata':{'name':'%s'},'involvedObject':{'kind':'Pod','name':'p','namespace':'" + namespace + "'}}";
        assertThat(api.post(core + "events", event.formatted("Pod_x")).code()).isEqualTo(201);
        assertThat(api.post(core + "events", event.formatted("a%b")).causes())
                .contains("FieldValueInvalid metadata.name: Invalid value: \"a%b\": may not contain '%'");
    }

    @Test
    void a_finalizer_is_a_name_first_of_all() {
        Answer refused = api.post(
                core + "configmaps", "{'metadata':{'name':'a','labels':{'a b':'x'},'finalizers':['x','A_/b']}}");
        assertThat(refused.message())
                .containsSubsequence(
                        "metadata.labels: ",
                        "metadata.finalizers: Invalid value: \"A_/b\"",
                        "metadata.finalizers[0]: Invalid value: \"x\"");
    }
}
