package io.busbar.manifests.scorecard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.manifests.scorecard.TestResult.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * On Busbar's own bundle, and on two of others, written from what is documented of these: one is whole, one has faults.
 */
class ScorecardTest {

    /** Tests run in their module's folder. */
    private static final Path OWN = Path.of("bundle");

    private static final Path FOREIGN = Path.of("src/test/resources/io/busbar/manifests/scorecard");
    private static final Path WHOLE = FOREIGN.resolve("keda");
    private static final Path FAULTY = FOREIGN.resolve("etcd");

    @TempDir
    private Path folder;

    @Test
    void passes_the_bundle_that_busbar_ships() {
        assertThat(results(OWN).values())
                .hasSize(6)
                .allSatisfy(result -> {
                    assertThat(result.errors()).isEmpty();
                    assertThat(result.state()).isEqualTo(State.PASS);
                })
                .flatExtracting(TestResult::suggestions)
                .containsExactly("provided API should have an example annotation: apps.kruise.io/v1alpha1 SidecarSet");
    }

    @Test
    void passes_a_bundle_of_somebody_else_and_suggests_what_no_example_shows() {
        Map<String, TestResult> results = results(WHOLE);

        assertThat(results.values())
                .hasSize(6)
                .allSatisfy(result -> assertThat(result.state()).isEqualTo(State.PASS));
        assertThat(results.get("olm-spec-descriptors").suggestions())
                .containsExactly(
                        "Add a spec descriptor for cooldownPeriod of scaledobjects.keda.sh, which no example shows");
        assertThat(results.get("olm-status-descriptors").suggestions())
                .singleElement()
                .asString()
                .startsWith("triggerauthentications.keda.sh does not have status spec");
    }

    @Test
    void tells_all_faults_of_a_bundle_each_by_the_test_that_looks_for_it() {
        Map<String, TestResult> results = results(FAULTY);

        assertThat(results.values())
                .allSatisfy(result -> assertThat(result.state()).isEqualTo(State.FAIL));
        assertThat(results.get("basic-check-spec").errors())
                .containsExactly("error spec does not exist for the custom resource nightly");
        assertThat(results.get("olm-crds-have-validation").suggestions())
                .containsExactly("Add CRD validation for spec field `flavour` in EtcdCluster/v1beta2");
        assertThat(results.get("olm-crds-have-resources").errors())
                .containsExactly(
                        "Owned CRDs do not have resources specified: etcdclusters.etcd.database.coreos.com v1beta2");
        assertThat(results.get("olm-spec-descriptors").suggestions())
                .containsExactly("Add a spec descriptor for TLS", "Add a spec descriptor for flavour");
        assertThat(results.get("olm-status-descriptors").errors())
                .contains("etcdclusters.etcd.database.coreos.com does not have a status descriptor");
    }

    @Test
    void validates_layout_names_kinds_webhooks_and_how_they_fit_each_other() {
        TestResult validation = results(FAULTY).get("olm-bundle-validation");

        assertThat(validation.errors())
                .satisfiesExactly(
                        error -> assertThat(error).startsWith("manifests/broken.yaml is no YAML: "),
                        is("Missing annotation \"operators.operatorframework.io.bundle.metadata.v1\""),
                        is("Expecting annotation \"operators.operatorframework.io.bundle.mediatype.v1\" to have value"
                                + " \"registry+v1\" instead of \"plain\""),
                        is("The default channel \"stable\" is none of the channels \"alpha,beta\""),
                        is("dependency olm.package: version is missing"),
                        is("Unsupported dependency type olm.helm"),
                        is("invalid service account found in bundle. sa name cannot match service account defined for"
                                + " deployment spec in CSV: etcd-operator"),
                        is("CRD etcdclusters.etcd.database.coreos.com: exactly one version must be marked as storage"
                                + " version, 0 are"),
                        is("Required field is missing: spec.displayName"),
                        is("provided annotation olm.skiprange uses wrong case and should be olm.skipRange instead"),
                        is("metadata.name \"etcdoperator-0.9\" contains an invalid semver \"9\""),
                        is("spec.replaces \"etcdoperator.v0.9\" contains an invalid semver \"v0.9\""),
                        is("example must have a provided API: etcd.database.coreos.com/v1beta2 EtcdRestore"),
                        is("duplicate install modes present"),
                        is("none of InstallModeTypes are supported"),
                        is("owned CRD etcd.database.coreos.com/v1beta2 EtcdBackup not found in bundle"),
                        is("webhook vall.example.com: there is no deployment etcd-webhook"),
                        is("webhook vall.example.com: OLM refuses webhooks for the groups [*]"));
        assertThat(validation.suggestions())
                .contains(
                        "manifests/extras.yaml has 2 objects: OLM reads the first one alone",
                        "ResourceQuota etcd: OLM does not apply objects of this kind",
                        "Optional field is missing: spec.icon");
    }

    @Test
    void says_that_nothing_can_be_told_where_there_is_no_bundle() {
        Map<String, TestResult> results = results(folder);

        assertThat(results.get("olm-bundle-validation").errors())
                .contains(
                        "Unable to locate metadata directory",
                        "Unable to locate manifests directory",
                        "one ClusterServiceVersion is needed, 0 found in manifests",
                        "Could not find annotations file");
        assertThat(results.get("olm-spec-descriptors").state()).isEqualTo(State.ERROR);
        assertThat(results.get("olm-spec-descriptors").errors())
                .containsExactly("no ClusterServiceVersion can be read");
    }

    @Test
    void says_that_examples_can_not_be_read() throws IOException {
        Files.createDirectories(folder.resolve("metadata"));
        Path manifests = Files.createDirectories(folder.resolve("manifests"));
        Files.writeString(manifests.resolve("csv.yaml"), """
                kind: ClusterServiceVersion
                metadata: {name: shop.v1.0.0, annotations: {alm-examples: '{"kind": "Crate"}'}}
                """);
        Files.write(manifests.resolve("icon.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', (byte) 0xff});

        assertThat(results(folder).get("basic-check-spec").state()).isEqualTo(State.ERROR);
        assertThat(results(folder).get("olm-bundle-validation").errors())
                .contains(
                        "failed to parse alm-examples annotation: no list of objects", "manifests/icon.png is no text");
    }

    @Test
    void is_written_as_the_test_list_of_operator_sdk() throws Exception {
        Scorecard scorecard = scorecard(WHOLE);
        scorecard.select(labels -> labels.get("test").matches("olm-spec-descriptors-test|scales-from-zero-test"));
        scorecard.run();
        JsonNode list = new ObjectMapper().readTree(scorecard.json());

        assertThat(list.path("kind").asText()).isEqualTo("TestList");
        assertThat(list.path("apiVersion").asText()).isEqualTo("scorecard.operatorframework.io/v1alpha3");
        assertThat(list.path("items")).hasSize(2);
        assertThat(list.at("/items/0").toString()).isEqualTo("""
                {"kind":"Test","apiVersion":"scorecard.operatorframework.io/v1alpha3",\
                "spec":{"image":"shop:1.0",\
                "entrypoint":["shop","scorecard","-l","test=olm-spec-descriptors-test"],\
                "labels":{"suite":"olm","test":"olm-spec-descriptors-test"}},\
                "status":{"results":[{"name":"olm-spec-descriptors",\
                "log":"Loaded ClusterServiceVersion: keda.v2.14.0\\nLoaded 2 Custom Resources from alm-examples\\n",\
                "state":"pass",\
                "suggestions":["Add a spec descriptor for cooldownPeriod of scaledobjects.keda.sh, which no example shows"]\
                }]}}""");
        assertThat(list.at("/items/1/spec/image").asText()).isEqualTo("registry.example.com/keda/scale-test:2.14.0");
        assertThat(list.at("/items/1/status")).as("was not run").isEmpty();
    }

    @Test
    void is_written_for_people_and_says_what_was_not_run() throws Exception {
        Scorecard scorecard = scorecard(WHOLE);
        scorecard.run();

        assertThat(scorecard.passed()).isTrue();
        assertThat(scorecard.text())
                .contains(
                        "\tName: basic-check-spec\n\tState: pass\n",
                        "\tName: scales-from-zero\n\tState: not run\n",
                        "\tReason:\n\t\tit needs a cluster that runs the image registry.example.com/keda/scale-test:2.14.0\n")
                .endsWith("\n7 results: 6 pass, 1 not run\n");
    }

    @Test
    void never_passes_a_test_that_was_asked_for_and_not_run() throws Exception {
        Scorecard scorecard = new Scorecard("shop:1.0", List.of("shop"));
        scorecard.add(Map.of("test", "live"), true, () -> List.of(TestResult.notRun("live", "nobody is there")));
        scorecard.run();

        assertThat(scorecard.passed()).isFalse();
        assertThat(scorecard.json().replaceAll("\\s", "")).contains("""
                {"name":"live","state":"error","errors":["notrun:nobodyisthere"]}""");
    }

    @Test
    void lists_tests_without_results() {
        Scorecard scorecard = scorecard(WHOLE);

        assertThat(scorecard.text())
                .contains("\"test\":\"olm-bundle-validation-test\"")
                .doesNotContain("State");
        scorecard.select(labels -> false);
        assertThat(scorecard.text()).isEqualTo("0 tests selected\n");
    }

    private static ThrowingConsumer<String> is(String wanted) {
        return error -> assertThat(error).isEqualTo(wanted);
    }

    private static Scorecard scorecard(Path bundle) {
        Scorecard scorecard = new Scorecard("shop:1.0", List.of("shop", "scorecard"));
        scorecard.add(BundleFolder.read(bundle));
        return scorecard;
    }

    private static Map<String, TestResult> results(Path bundle) {
        BundleFolder read = BundleFolder.read(bundle);
        return BundleTests.ALL.stream()
                .map(test -> test.on(read))
                .collect(Collectors.toMap(TestResult::name, Function.identity()));
    }
}
