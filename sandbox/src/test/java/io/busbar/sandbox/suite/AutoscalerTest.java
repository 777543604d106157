package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AutoscalerTest {

    private static final String TARGET = "'scaleTargetRef':{'kind':'Deployment','name':'d','apiVersion':'apps/v1'}";

    private final Api api = Server.api();
    private final String path = "/namespaces/" + api.newNamespace() + "/horizontalpodautoscalers";
    private final String first = "/apis/autoscaling/v1" + path;
    private final String second = "/apis/autoscaling/v2" + path;

    private static String autoscaler(String spec) {
        return "{'metadata':{'name':'a'},'spec':{" + spec + "}}";
    }

    private static JsonNode json(String text) {
        return Api.json(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void are_discovered() {
        assertThat(api.get("/apis/autoscaling").body().path("versions").findValuesAsText("version"))
                .contains("v1");
        JsonNode resource = api.get("/apis/autoscaling/v1").body().at("/resources/0");
        assertThat(resource.path("name").asText()).isEqualTo("horizontalpodautoscalers");
        assertThat(resource.path("shortNames").toString()).isEqualTo("[\"hpa\"]");
    }

    @Test
    void have_one_replica_and_a_share_of_cpu_unless_told() {
        Answer made = api.post(first, autoscaler(TARGET + ",'maxReplicas':3"));
        assertThat(made.code()).as(made.message()).isEqualTo(201);
        assertThat(made.text("/apiVersion")).isEqualTo("autoscaling/v1");
        assertThat(made.body().path("spec"))
                .isEqualTo(json(
                        "{'scaleTargetRef':{'kind':'Deployment','name':'d','apiVersion':'apps/v1'},'minReplicas':1,"
                                + "'maxReplicas':3,'targetCPUUtilizationPercentage':80}"));
        assertThat(made.body().path("status")).isEqualTo(json("{'currentReplicas':0,'desiredReplicas':0}"));
        assertThat(made.body().path("metadata").has("annotations")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'minReplicas':5,'maxReplicas':3|spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`",
                "'maxReplicas':3,'targetCPUUtilizationPercentage':0|spec.metrics[0].resource.target.averageUtilization: Invalid"
                        + " value: 0: must be greater than 0"
            })
    void are_validated(String spec, String complaint) {
        Answer refused = api.post(first, autoscaler(TARGET + "," + spec));
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).isEqualTo("HorizontalPodAutoscaler.autoscaling \"a\" is invalid: " + complaint);
    }

    @Test
    void need_bounds_and_something_to_scale() {
        Answer refused = api.post(first, autoscaler("'minReplicas':0"));
        List<String> causes = new ArrayList<>(refused.causes());
        causes.remove(
                "FieldValueInvalid spec.scaleTargetRef.apiVersion: Invalid value: \"\": apiVersion must specify API group");
        assertThat(refused.causes().size() - causes.size()).isEqualTo(Server.since(36, 1, 0));
        assertThat(causes)
                .containsExactlyInAnyOrder(
                        "FieldValueInvalid spec.minReplicas: Invalid value: 0: must be greater than or equal to 1",
                        Server.since(
                                36,
                                "FieldValueRequired spec.maxReplicas: Required value: must be set and greater than 0",
                                "FieldValueInvalid spec.maxReplicas: Invalid value: 0: must be greater than 0"),
                        "FieldValueRequired spec.scaleTargetRef.kind: Required value",
                        "FieldValueRequired spec.scaleTargetRef.name: Required value",
                        "FieldValueForbidden spec.metrics: Forbidden: must specify at least one Object or External"
                                + " metric to support scaling to zero replicas");
    }

    @Test
    void print_their_columns() {
        api.post(first, autoscaler(TARGET + ",'minReplicas':2,'maxReplicas':3,'targetCPUUtilizationPercentage':70"));
        Answer table = api.get(first, "application/json;as=Table;g=meta.k8s.io;v=v1");
        assertThat(table.body().path("columnDefinitions").findValuesAsText("name"))
                .containsExactly("Name", "Reference", "Targets", "MinPods", "MaxPods", "Replicas", "Age");
        assertThat(table.text("/rows/0/cells/1")).isEqualTo("Deployment/d");
        assertThat(table.text("/rows/0/cells/2")).endsWith("<unknown>/70%");
        assertThat(table.text("/rows/0/cells/4")).isEqualTo("3");
    }

    @Test
    void have_a_status_of_its_own() {
        api.post(first, autoscaler(TARGET + ",'maxReplicas':3"));
        Answer now = api.patch(
                first + "/a/status",
                Api.MERGE,
                "{'spec':{'maxReplicas':9},'status':{'currentReplicas':1,'desiredReplicas':2,'currentCPUUtilizationPercentage':55}}");
        assertThat(now.text("/spec/maxReplicas")).isEqualTo("3");
        assertThat(now.text("/status/currentCPUUtilizationPercentage")).isEqualTo("55");
        assertThat(now.text("/status/desiredReplicas")).isEqualTo("2");
    }

    @Test
    @Since(value = "1.23", why = "autoscaling/v2")
    void are_the_same_in_both_versions() {
        api.post(first, autoscaler(TARGET + ",'maxReplicas':3,'targetCPUUtilizationPercentage':70"));
        assertThat(api.get(second + "/a").body().at("/spec/metrics"))
                .isEqualTo(json("[{'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization',"
                        + "'averageUtilization':70}}}]"));
        api.patch(second + "/a", Api.MERGE, """
                {'spec':{'metrics':[
                  {'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization','averageUtilization':60}}},
                  {'type':'Pods','pods':{'metric':{'name':'q'},'target':{'type':'AverageValue','averageValue':'5'}}}],
                 'behavior':{'scaleDown':{'stabilizationWindowSeconds':60}}}}""");
        Answer old = api.get(first + "/a");
        assertThat(old.text("/spec/targetCPUUtilizationPercentage")).isEqualTo("60");
        assertThat(old.body().path("spec").has("behavior")).isFalse();
        assertThat(json(old.text("/metadata/annotations/autoscaling.alpha.kubernetes.io~1metrics")))
                .isEqualTo(json("[{'type':'Pods','pods':{'metricName':'q','targetAverageValue':'5'}}]"));
        api.patch(first + "/a", Api.MERGE, "{'spec':{'maxReplicas':9}}");
        Answer now = api.get(second + "/a");
        assertThat(now.text("/spec/maxReplicas")).isEqualTo("9");
        assertThat(now.text("/spec/metrics/0/pods/target/averageValue")).isEqualTo("5");
        assertThat(now.text("/spec/metrics/1/resource/target/averageUtilization"))
                .isEqualTo("60");
        assertThat(now.text("/spec/behavior/scaleDown/stabilizationWindowSeconds"))
                .isEqualTo("60");
        assertThat(now.text("/spec/behavior/scaleUp/policies/0/value")).isEqualTo("4");
        assertThat(now.body().path("metadata").has("annotations")).isFalse();
    }
}
