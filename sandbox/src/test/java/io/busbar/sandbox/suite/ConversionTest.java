package io.busbar.sandbox.suite;

import static io.busbar.sandbox.suite.CustomGroup.version;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Kinds in several versions: {@code v1} has {@code spec.size}, {@code v2} has {@code spec.width}. */
class ConversionTest {

    private static final String SIZE = "{'type':'object','properties':{'spec':{'type':'object','properties':{"
            + "'size':{'type':'integer'},'both':{'type':'string'}}}}}";
    private static final String WIDTH = "{'type':'object','properties':{'spec':{'type':'object','properties':{"
            + "'width':{'type':'integer'},'both':{'type':'string'},'late':{'type':'string','default':'x'}}}}}";

    private final Api api = Server.api();
    private final CustomGroup group = new CustomGroup(api);
    private final WebhookServer server = new WebhookServer();
    private final String namespace = api.newNamespace();
    private final String first = group.url("v1", namespace);
    private final String second = group.url("v2", namespace);

    @AfterEach
    void forget() {
        server.on("/convert", request -> converted(request, UnaryOperator.identity()));
        group.close();
        server.close();
    }

    private void define(String conversion) {
        group.serve(group.widgets(
                ",'conversion':" + conversion, version("v1", true, SIZE, ""), version("v2", false, WIDTH, "")));
    }

    private void defineWebhook(String reviewVersions) {
        define("{'strategy':'Webhook','webhook':{'conversionReviewVersions':" + reviewVersions + ",'clientConfig':"
                + server.at("/convert") + "}}");
        server.forget();
    }

    /** Brings the objects into the version that is asked for, then lets the test spoil them. */
    private static ObjectNode converted(JsonNode request, UnaryOperator<ObjectNode> spoil) {
        ObjectNode response = JsonNodeFactory.instance.objectNode();
        response.putObject("result").put("status", "Success");
        ArrayNode objects = response.putArray("convertedObjects");
        String wanted = request.path("desiredAPIVersion").asText();
        request.path("objects").forEach(object -> {
            ObjectNode copy = object.deepCopy();
            ObjectNode spec = copy.withObject("/spec");
            boolean toSecond = wanted.endsWith("/v2");
            JsonNode number = spec.remove(toSecond ? "size" : "width");
            if (number != null) {
                spec.set(toSecond ? "width" : "size", number);
            }
            objects.add(spoil.apply(copy.put("apiVersion", wanted)));
        });
        return response;
    }

    @Test
    void without_a_webhook_keeps_what_both_versions_know() {
        define("{'strategy':'None'}");
        Answer made = api.post(first, group.widget("v1", "w", ",'spec':{'size':3,'both':'b'}"));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        Answer other = api.get(second + "/w");
        assertThat(other.text("/apiVersion")).isEqualTo(group.name() + "/v2");
        assertThat(other.text("/spec/both")).isEqualTo("b");
        assertThat(other.body().path("spec").has("size")).isFalse();
        assertThat(api.get(first + "/w").text("/spec/size")).isEqualTo("3");
    }

    @Test
    void by_a_webhook_goes_both_ways() {
        server.on("/convert", request -> converted(request, UnaryOperator.identity()));
        defineWebhook("['v1','v1beta1']");
        Answer made = api.post(second, group.widget("v2", "w", ",'spec':{'width':7}"));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.text("/apiVersion")).isEqualTo(group.name() + "/v2");
        assertThat(made.text("/spec/width")).isEqualTo("7");
        assertThat(made.body().path("spec").has("late"))
                .as("v1 has no place for it")
                .isFalse();
        JsonNode request = server.request();
        assertThat(request.path("desiredAPIVersion").asText()).isEqualTo(group.name() + "/v1");
        assertThat(request.at("/objects/0/spec/width").asInt()).isEqualTo(7);
        assertThat(request.at("/objects/0/spec/late").asText()).isEqualTo("x");
        assertThat(request.path("uid").asText()).hasSize(36);
        Answer stored = api.get(first + "/w");
        assertThat(stored.text("/spec/size")).isEqualTo("7");
        assertThat(stored.text("/metadata/uid")).isEqualTo(made.text("/metadata/uid"));
        assertThat(api.get(second).body().at("/items/0/spec/width").asInt()).isEqualTo(7);
        Answer patched = api.patch(second + "/w", Api.MERGE, "{'spec':{'width':8}}");
        assertThat(patched.text("/spec/width")).isEqualTo("8");
        assertThat(api.get(first + "/w").text("/spec/size")).isEqualTo("8");
        assertThat(patched.text("/metadata/generation")).isEqualTo("2");
        assertThat(api.delete(second + "/w").code()).isEqualTo(200);
    }

    @Test
    void is_watched_in_each_version() {
        server.on("/convert", request -> converted(request, UnaryOperator.identity()));
        defineWebhook("['v1']");
        api.post(first, group.widget("v1", "w", ",'spec':{'size':1}"));
        try (Watching watch = api.watch(second + "?watch=true")) {
            assertThat(watch.next().at("/object/spec/width").asInt()).isEqualTo(1);
            api.patch(first + "/w", Api.MERGE, "{'spec':{'size':2}}");
            JsonNode changed = watch.next();
            assertThat(changed.path("type").asText()).isEqualTo("MODIFIED");
            assertThat(changed.at("/object/spec/width").asInt()).isEqualTo(2);
            assertThat(changed.at("/object/apiVersion").asText()).isEqualTo(group.name() + "/v2");
            api.delete(first + "/w");
            assertThat(watch.summary()).isEqualTo("DELETED w");
        }
    }

    @Test
    void speaks_the_older_review_too() {
        server.on(
                "/convert",
                request -> converted(request, UnaryOperator.identity()).put("uid", "whatever"));
        defineWebhook("['v1beta1']");
        Answer made = api.post(second, group.widget("v2", "w", ",'spec':{'width':7}"));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(server.version()).isEqualTo("apiextensions.k8s.io/v1beta1");
    }

    @Test
    void may_change_labels_and_nothing_else_of_the_metadata() {
        server.on(
                "/convert",
                request -> converted(request, object -> {
                    object.withObject("/metadata").withObject("/labels").put("x", "y");
                    object.withObject("/metadata").put("generation", 77);
                    return object;
                }));
        defineWebhook("['v1']");
        Answer made = api.post(second, group.widget("v2", "w", ",'spec':{'width':7}"));
        assertThat(made.text("/metadata/labels/x")).isEqualTo("y");
        assertThat(made.text("/metadata/generation")).isEqualTo("1");
    }

    @Test
    void fails_with_the_webhooks_words() {
        server.on("/convert", request -> converted(request, UnaryOperator.identity()));
        defineWebhook("['v1']");
        api.post(first, group.widget("v1", "w", ",'spec':{'size':1}"));
        server.on("/convert", request -> {
            ObjectNode response = JsonNodeFactory.instance.objectNode();
            response.putObject("result").put("status", "Failed").put("message", "no way");
            return response;
        });
        Answer refused = api.get(second + "/w");
        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.message())
                .isEqualTo("conversion webhook for " + group.name() + "/v1, Kind=Widget failed: no way");
        assertThat(api.get(second).message()).isEqualTo(refused.message());
        assertThat(api.get(first + "/w").code()).isEqualTo(200);
    }

    @Test
    void refuses_answers_that_are_not_what_was_asked_for() {
        server.on("/convert", request -> converted(request, UnaryOperator.identity()));
        defineWebhook("['v1']");
        api.post(first, group.widget("v1", "w", ",'spec':{'size':1}"));
        String of = "conversion webhook for " + group.name() + "/v1, Kind=Widget ";
        server.on("/convert", request -> converted(request, object -> object.put("apiVersion", group.name() + "/v1")));
        assertThat(api.get(second + "/w").message())
                .isEqualTo(of + "returned invalid object at index 0: invalid groupVersion (expected " + group.name()
                        + "/v2, received " + group.name() + "/v1)");
        server.on("/convert", request -> converted(request, object -> object.put("kind", "Wodget")));
        assertThat(api.get(second + "/w").message())
                .isEqualTo(of + "returned invalid object at index 0: invalid kind (expected Widget, received Wodget)");
        server.on(
                "/convert",
                request -> converted(request, object -> {
                    object.withObject("/metadata").put("name", "v");
                    return object;
                }));
        assertThat(api.get(second + "/w").message())
                .isEqualTo(of + "returned invalid object: must have the same name: w != v");
        server.on(
                "/convert",
                request -> converted(request, UnaryOperator.identity()).put("uid", "other"));
        assertThat(api.get(second + "/w").message())
                .startsWith(of + "failed: expected response.uid=\"")
                .endsWith("\", got \"other\"");
        server.on("/convert", request -> {
            ObjectNode response = converted(request, UnaryOperator.identity());
            response.putArray("convertedObjects");
            return response;
        });
        assertThat(api.get(second + "/w").message()).isEqualTo(of + "returned 0 objects, expected 1");
    }

    @Test
    void tells_that_nobody_is_there() {
        define("{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],"
                + "'clientConfig':{'url':'https://127.0.0.1:1/x'}}}");
        Answer refused = api.post(second, group.widget("v2", "w", ",'spec':{'width':7}"));
        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.message())
                .isEqualTo("conversion webhook for " + group.name()
                        + "/v2, Kind=Widget failed: Post \"https://127.0.0.1:1/x?timeout=30s\": dial tcp 127.0.0.1:1:"
                        + " connect: connection refused");
    }

    @Test
    void remembers_the_versions_that_were_stored() {
        define("{'strategy':'None'}");
        api.post(first, group.widget("v1", "w", ",'spec':{'both':'b'}"));
        Answer turned = api.patch(
                group.definition("widgets"),
                Api.JSON_PATCH,
                "[{'op':'replace','path':'/spec/versions/0/storage','value':false},"
                        + "{'op':'replace','path':'/spec/versions/1/storage','value':true}]");
        assertThat(turned.code()).as(turned.message()).isEqualTo(200);
        assertThat(turned.body().at("/status/storedVersions").toString()).isEqualTo("[\"v1\",\"v2\"]");
        Answer old = Api.until(() -> api.get(second + "/w"), answer -> answer.code() == 200);
        assertThat(old.text("/apiVersion")).isEqualTo(group.name() + "/v2");
        assertThat(old.text("/spec/both")).isEqualTo("b");
        Answer refused =
                api.patch(group.definition("widgets"), Api.JSON_PATCH, "[{'op':'remove','path':'/spec/versions/0'}]");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("status.storedVersions[0]: Invalid value: \"v1\": ");
    }

    @Test
    void gives_new_defaults_to_what_was_stored_before() {
        define("{'strategy':'None'}");
        api.post(first, group.widget("v1", "w", ",'spec':{'both':'b'}"));
        api.patch(
                group.definition("widgets"),
                Api.JSON_PATCH,
                "[{'op':'add','path':'/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/default',"
                        + "'value':5}]");
        Answer now = Api.until(
                () -> api.get(first + "/w"), answer -> answer.text("/spec/size").equals("5"));
        assertThat(now.text("/metadata/generation")).isEqualTo("1");
    }

    @Test
    void gives_what_is_stored_the_defaults_of_its_version() {
        String spec =
                "{'type':'object','properties':{'spec':{'type':'object','properties':{'both':{'type':'string'},'%s':"
                        + "{'type':'string','default':'given'}}}}}";
        group.serve(group.widgets(
                ",'conversion':{'strategy':'None'}",
                version("v1", true, spec.formatted("one"), ""),
                version("v2", false, spec.formatted("two"), "")));
        Answer made = api.post(second, group.widget("v2", "w", ",'spec':{'both':'b'}"));
        assertThat(made.body().path("spec")).hasToString("{\"both\":\"b\"}");
        assertThat(api.get(first + "/w").text("/spec/one")).isEqualTo("given");
        assertThat(api.get(second + "/w").body().path("spec")).hasToString("{\"both\":\"b\"}");
    }
}
