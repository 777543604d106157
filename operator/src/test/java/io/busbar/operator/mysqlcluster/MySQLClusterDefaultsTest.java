package io.busbar.operator.mysqlcluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.AdmissionDecision;
import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.AdmissionRequest.Operation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MySQLClusterDefaultsTest {

    private final MySQLClusterDefaults rule = new MySQLClusterDefaults();

    @Test
    void makes_text_of_a_number_and_touches_nothing_else() {
        AdmissionDecision decision = updated("{\"spec\":{\"version\":8.4,\"unknown\":[1]},\"other\":true}");

        assertThat(patch(decision)).isEqualTo("[{\"op\":\"replace\",\"path\":\"/spec/version\",\"value\":\"8.4\"}]");
        assertThat(decision.warnings()).isEmpty();
    }

    @Test
    void warns_where_zeros_may_be_lost() {
        AdmissionDecision decision = created("{\"spec\":{\"version\":8}}");

        assertThat(patch(decision)).contains("\"value\":\"8.0\"");
        assertThat(decision.warnings())
                .containsExactly(
                        "spec.version: 8 is read as \"8.0\": quote spec.version, as YAML drops zeros at the end of"
                                + " a number");
        assertThat(updated("{\"spec\":{\"version\":10.1}}").warnings()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"spec\":{\"version\":\"8\"}}",
                "{\"spec\":1}",
                "{\"spec\":{\"image\":\"mariadb:10.11\"}}",
                "{\"spec\":{\"version\":{\"a\":1}}}",
                "{\"spec\":{\"version\":-1}}",
                "{\"spec\":{\"version\":true}}"
            })
    void leaves_all_else_to_the_validation(String object) {
        assertThat(updated(object)).isEqualTo(AdmissionDecision.allowed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"spec\":{}}", "{}", "{\"spec\":null}", "{\"spec\":{\"version\":null,\"image\":null}}"})
    void writes_into_a_new_cluster_which_version_it_gets_and_into_no_other(String object) {
        assertThat(patch(created(object))).contains("version", "9.7");
        assertThat(updated(object)).isEqualTo(AdmissionDecision.allowed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"spec\":{\"version\":\"8.4\"}}",
                "{\"spec\":{\"version\":\"8.4\",\"podTemplate\":null}}",
                "{\"spec\":{\"version\":\"8.4\",\"podTemplate\":{\"labels\":{\"a\":\"b\"},\"affinity\":null}}}"
            })
    void writes_into_a_new_cluster_that_its_members_are_spread_over_nodes_and_zones(String object) {
        assertThat(patch(created(object)))
                .contains("{\"maxSkew\":1,\"topologyKey\":\"kubernetes.io/hostname\","
                        + "\"whenUnsatisfiable\":\"ScheduleAnyway\"}")
                .contains("\"topology.kubernetes.io/zone\"")
                .doesNotContain("version");
        assertThat(updated(object)).isEqualTo(AdmissionDecision.allowed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"topologySpreadConstraints\":[]}",
                "{\"affinity\":{}}",
                "{\"affinity\":{\"nodeAffinity\":{}}}",
                "[]",
                "7"
            })
    void spreads_none_where_that_is_said_or_the_template_cannot_be_right(String template) {
        assertThat(created("{\"spec\":{\"version\":\"8.4\",\"podTemplate\":" + template + "}}"))
                .isEqualTo(AdmissionDecision.allowed());
    }

    @Test
    void has_nothing_to_say_where_there_is_no_object() {
        assertThat(rule.review(new Request(Operation.CREATE, null))).isEqualTo(AdmissionDecision.allowed());
    }

    private AdmissionDecision created(String object) {
        return rule.review(new Request(Operation.CREATE, Serialization.unmarshal(object, ObjectNode.class)));
    }

    private AdmissionDecision updated(String object) {
        return rule.review(new Request(Operation.UPDATE, Serialization.unmarshal(object, ObjectNode.class)));
    }

    private static String patch(AdmissionDecision decision) {
        assertThat(decision).isInstanceOf(AdmissionDecision.Patched.class);
        return ((AdmissionDecision.Patched) decision).patch().toString();
    }

    /** Of which only the object is asked for. */
    private record Request(Operation operation, @Nullable ObjectNode object) implements AdmissionRequest {

        @Override
        public String uid() {
            return "u";
        }

        @Override
        public String resource() {
            return "mysqlclusters";
        }

        @Override
        public String subResource() {
            return "";
        }

        @Override
        public String namespace() {
            return "default";
        }

        @Override
        public String name() {
            return "db";
        }

        @Override
        public boolean dryRun() {
            return false;
        }

        @Override
        public String username() {
            return "somebody";
        }

        @Override
        public List<String> groups() {
            return List.of();
        }

        @Override
        public ObjectNode metadata() {
            throw new UnsupportedOperationException("metadata");
        }

        @Override
        public @Nullable ObjectNode oldObject() {
            throw new UnsupportedOperationException("oldObject");
        }
    }
}
