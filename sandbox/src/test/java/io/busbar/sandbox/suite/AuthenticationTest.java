package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class AuthenticationTest {

    private static final String REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";

    private final Api api = Server.guarded();
    private final String namespace = api.newNamespace();
    private final String accounts = "/api/v1/namespaces/" + namespace + "/serviceaccounts";
    private final String secrets = "/api/v1/namespaces/" + namespace + "/secrets";

    private String account(String name) {
        api.post(accounts, "{'metadata':{'name':'" + name + "'}}");
        return "system:serviceaccount:" + namespace + ":" + name;
    }

    private String token(String account, String spec) {
        Answer answer = api.post(accounts + "/" + account + "/token", "{'spec':" + spec + "}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        return answer.text("/status/token");
    }

    private Answer review(String token, String more) {
        return api.post(REVIEWS, "{'spec':{'token':'" + token + "'" + more + "}}");
    }

    @Test
    void turns_away_a_token_that_nobody_knows() {
        Answer refused = api.as("nonsense").get("/api");
        assertThat(refused.code()).isEqualTo(401);
        assertThat(refused.reason()).isEqualTo("Unauthorized");
        assertThat(refused.message()).isEqualTo("Unauthorized");
        assertThat(refused.text("/kind")).isEqualTo("Status");
    }

    @Test
    void takes_who_has_no_token_for_anonymous() {
        Answer refused = api.as("").get("/api/v1/pods");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("pods is forbidden: User \"system:anonymous\" cannot list resource \"pods\""
                        + " in API group \"\" at the cluster scope");
        assertThat(api.as("").get("/version").code()).isEqualTo(200);
        Answer path = api.as("").get("/nothing");
        assertThat(path.code()).isEqualTo(403);
        assertThat(path.message()).isEqualTo("forbidden: User \"system:anonymous\" cannot get path \"/nothing\"");
        assertThat(path.body().at("/details").isEmpty()).isTrue();
    }

    @Test
    void makes_tokens_of_a_service_account() {
        String user = account("worker");
        Answer made = api.post(accounts + "/worker/token", "{'spec':{'expirationSeconds':700}}");
        assertThat(made.code()).isEqualTo(201);
        assertThat(made.text("/kind")).isEqualTo("TokenRequest");
        assertThat(made.text("/spec/audiences/0")).isNotEmpty();
        assertThat(Duration.between(Instant.now(), Instant.parse(made.text("/status/expirationTimestamp"))))
                .isBetween(Duration.ofSeconds(600), Duration.ofSeconds(701));
        String token = made.text("/status/token");
        JsonNode claims = Api.json(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]));
        assertThat(claims.path("sub").asText()).isEqualTo(user);
        assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(700);
        assertThat(claims.at("/kubernetes.io/namespace").asText()).isEqualTo(namespace);
        assertThat(claims.at("/kubernetes.io/serviceaccount/name").asText()).isEqualTo("worker");
        Answer refused = api.as(token).get("/api/v1/namespaces/" + namespace + "/pods");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message()).contains("User \"" + user + "\" cannot list resource \"pods\"");
    }

    @Test
    void refuses_token_requests_that_cannot_be() {
        account("worker");
        Answer brief = api.post(accounts + "/worker/token", "{'spec':{'expirationSeconds':10}}");
        assertThat(brief.code()).isEqualTo(422);
        assertThat(brief.causes())
                .containsExactly("FieldValueInvalid spec.expirationSeconds: Invalid value: 10:"
                        + " may not specify a duration less than 10 minutes");
        Answer nobody = api.post(accounts + "/nobody/token", "{'spec':{}}");
        assertThat(nobody.code()).isEqualTo(404);
        assertThat(nobody.message()).isEqualTo("serviceaccounts \"nobody\" not found");
        Answer pod = api.post(
                accounts + "/worker/token",
                "{'spec':{'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'nope'}}}");
        assertThat(pod.message()).isEqualTo("pods \"nope\" not found");
        Answer kind = api.post(
                accounts + "/worker/token",
                "{'spec':{'boundObjectRef':{'kind':'Foo','apiVersion':'v1','name':'nope'}}}");
        assertThat(kind.code()).isEqualTo(400);
        assertThat(kind.message()).isEqualTo("cannot bind token to object of type /v1, Kind=Foo");
        assertThat(api.get(accounts + "/worker/token").code()).isEqualTo(405);
    }

    @Test
    void reviews_tokens() {
        String user = account("worker");
        Answer known = review(token("worker", "{}"), "");
        assertThat(known.code()).isEqualTo(201);
        assertThat(known.text("/status/authenticated")).isEqualTo("true");
        assertThat(known.text("/status/user/username")).isEqualTo(user);
        assertThat(known.text("/status/user/uid"))
                .isEqualTo(api.get(accounts + "/worker").text("/metadata/uid"));
        assertThat(known.body().at("/status/user/groups").toString())
                .isEqualTo("[\"system:serviceaccounts\",\"system:serviceaccounts:" + namespace
                        + "\",\"system:authenticated\"]");
        Answer unknown = review("nonsense", "");
        assertThat(unknown.body().at("/status/authenticated").asBoolean()).isFalse();
        assertThat(unknown.text("/status/error")).isEqualTo("invalid bearer token");
        Answer none = api.post(REVIEWS, "{'spec':{}}");
        assertThat(none.code()).isEqualTo(400);
        assertThat(none.message()).isEqualTo("token is required for TokenReview in authentication");
    }

    @Test
    void keeps_audiences_apart() {
        account("worker");
        String token = token("worker", "{'audiences':['shop']}");
        assertThat(api.as(token).get("/api").code()).isEqualTo(401);
        assertThat(review(token, "").text("/status/error"))
                .startsWith("[invalid bearer token, token audiences [\"shop\"] is invalid for the target audiences [");
        Answer fits = review(token, ",'audiences':['bakery','shop']");
        assertThat(fits.text("/status/authenticated")).isEqualTo("true");
        assertThat(fits.body().at("/status/audiences").toString()).isEqualTo("[\"shop\"]");
    }

    @Test
    void forgets_tokens_with_their_account() {
        account("worker");
        Api worker = api.as(token("worker", "{}"));
        assertThat(worker.get("/api").code()).isEqualTo(200);
        api.delete(accounts + "/worker");
        Api.until(() -> worker.get("/api"), answer -> answer.code() == 401);
        account("worker");
        assertThat(worker.get("/api").code()).isEqualTo(401);
    }

    @Test
    void fills_secrets_with_tokens() {
        String user = account("worker");
        api.post(
                secrets,
                "{'metadata':{'name':'t','annotations':{'kubernetes.io/service-account.name':'worker'}},"
                        + "'type':'kubernetes.io/service-account-token'}");
        Answer filled = Api.until(
                () -> api.get(secrets + "/t"),
                answer -> !answer.text("/data/token").isEmpty());
        assertThat(filled.body()
                        .at("/metadata/annotations")
                        .path("kubernetes.io/service-account.uid")
                        .asText())
                .isEqualTo(api.get(accounts + "/worker").text("/metadata/uid"));
        assertThat(decoded(filled.text("/data/namespace"))).isEqualTo(namespace);
        assertThat(decoded(filled.text("/data/ca.crt"))).startsWith("-----BEGIN CERTIFICATE-----");
        Answer review = review(decoded(filled.text("/data/token")), "");
        assertThat(review.text("/status/user/username")).isEqualTo(user);
    }

    @Test
    void refuses_secrets_of_tokens_for_nobody() {
        Answer refused = api.post(secrets, "{'metadata':{'name':'t'},'type':'kubernetes.io/service-account-token'}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsExactly("FieldValueRequired metadata.annotations[kubernetes.io/service-account.name]:"
                        + " Required value");
        api.post(
                secrets,
                "{'metadata':{'name':'t','annotations':{'kubernetes.io/service-account.name':'nobody'}},"
                        + "'type':'kubernetes.io/service-account-token'}");
        Api.until(() -> api.get(secrets + "/t"), answer -> answer.code() == 404);
    }

    @Test
    void lets_an_admin_act_as_somebody_else() {
        Answer refused = api.impersonating("bob").get("/api/v1/namespaces/" + namespace);
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.message())
                .isEqualTo("namespaces \"" + namespace + "\" is forbidden: User \"bob\" cannot get resource"
                        + " \"namespaces\" in API group \"\" in the namespace \"" + namespace + "\"");
        assertThat(api.impersonating("bob", "system:masters")
                        .get("/api/v1/pods")
                        .code())
                .isEqualTo(200);
        Answer nobody = api.send("GET", "/api/v1/pods", "", "", "Impersonate-Group", "g");
        assertThat(nobody.code()).isEqualTo(Server.since(36, 400, 500));
    }

    @Test
    void refuses_to_act_as_somebody_else_without_the_right_to() {
        String user = account("worker");
        Api worker = api.as(token("worker", "{}"));
        String who = "User \"" + user + "\" cannot ";
        assertThat(worker.impersonating("bob").get("/api").message())
                .isEqualTo(Server.since(
                        36,
                        "forbidden: " + who + "impersonate-on:user-info:get path \"/api\"",
                        "users \"bob\" is forbidden: " + who
                                + "impersonate resource \"users\" in API group \"\" at the cluster scope"));
        assertThat(worker.impersonating(user).get("/api").message())
                .isEqualTo(Server.since(
                        36,
                        "forbidden: " + who + "impersonate-on:serviceaccount:get path \"/api\"",
                        "serviceaccounts \"worker\" is forbidden: " + who + "impersonate resource"
                                + " \"serviceaccounts\" in API group \"\" in the namespace \"" + namespace + "\""));
        new Rights(api, namespace).bind("self", "ClusterRole", "edit", Rights.account("worker"));
        Api.until(() -> worker.impersonating(user).get("/api"), answer -> answer.code() == 200);
    }

    @Test
    @Since(value = "1.36", why = "constrained impersonation")
    void lets_somebody_do_one_thing_as_somebody_else() {
        account("worker");
        Api worker = api.as(token("worker", "{}"));
        Rights rights = new Rights(api, namespace);
        api.post(
                rights.roles(),
                "{'metadata':{'name':'one'},'rules':["
                        + Rights.rule("'impersonate-on:user-info:list'", "''", "'configmaps'") + "]}");
        rights.bind("one", "Role", "one", Rights.account("worker"));
        String name = "suite-" + namespace;
        api.post(
                "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                "{'metadata':{'name':'" + name + "'},'rules':["
                        + Rights.rule("'impersonate:user-info'", "'authentication.k8s.io'", "'users'") + "]}");
        api.post(
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                Rights.binding(
                        name,
                        "ClusterRole",
                        name,
                        "{'kind':'ServiceAccount','name':'worker','namespace':'" + namespace + "'}"));
        String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
        rights.allow("bob", "reader", "[" + Rights.rule("'list','get'", "''", "'configmaps'") + "]");
        Api.until(() -> worker.impersonating("bob").get(maps), answer -> answer.code() == 200);
        assertThat(worker.impersonating("bob").get(maps + "/a").message())
                .contains("cannot impersonate-on:user-info:get resource");
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
