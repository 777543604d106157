package io.busbar.sandbox.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.Json;
import io.busbar.sandbox.kinds.BuiltInKinds;
import io.busbar.sandbox.kinds.Rooms;
import io.busbar.sandbox.status.Causes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RulesFileTest {

    @Test
    void speaks_of_published_types_and_their_fields_alone() {
        List<String> unknown = new ArrayList<>();
        BuiltInKinds.RULES.files().forEach((type, file) -> {
            if (!type.startsWith(RulesFile.COLUMNS)) {
                file.rules(type).stream()
                        .filter(rule -> !isPublished(type, rule.field().text()))
                        .forEach(rule -> unknown.add(type + ": " + rule.field().text()));
            }
        });
        assertThat(unknown).isEmpty();
    }

    private static boolean isPublished(String type, String path) {
        String at = type;
        for (String field : path.replace("[]", "").split("\\.", -1)) {
            if (!field.equals("*")
                    && TypeRules.fields(at).stream()
                            .noneMatch(known -> known.name().equals(field))) {
                return false;
            }
            at = TypeRules.typeOf(at, field);
        }
        return true;
    }

    @Test
    void tells_of_a_place_under_another_name() {
        assertThat(complaints("""
                        core.v1.ContainerPort
                          name as .: wrong("unnamed")
                          hostPort as ^hostPort: wrong("no")
                          protocol as ^^: among("''A'' or B", A, B)
                        """, "{spec: {containers: [{ports: [{name: 'n', hostPort: 1, protocol: 'C'}]}]}}"))
                .containsExactlyInAnyOrder(
                        "spec.containers[0].ports[0]: Invalid value: \"n\": unnamed",
                        "spec.containers[0].ports.hostPort: Invalid value: 1: no",
                        "spec.containers[0]: Invalid value: \"C\": \"A\" or B");
    }

    @Test
    void checks_values_wherever_their_type_stands() {
        assertThat(
                        complaints(
                                """
                        core.v1.ContainerPort
                          name: required longest(3, "too long") portName
                          containerPort if protocol=TCP|UDP unless hostPort=7: range(1, 5)
                          *: check(named)
                        """,
                                "{spec: {initContainers: [{ports: [{name: 'four', protocol: 'UDP', containerPort: 9}]}],"
                                        + " containers: [{ports: [{protocol: 'TCP', hostPort: 7, containerPort: 9}, {name: 'x', protocol: 'SCTP', containerPort: 9}]}]}}"))
                .containsExactlyInAnyOrder(
                        "spec.initContainers[0].ports[0].name: Invalid value: \"four\": too long",
                        "spec.initContainers[0].ports[0].containerPort: Invalid value: 9: must be between 1 and 5, inclusive",
                        "spec.initContainers[0].ports[0]: Forbidden: seen",
                        "spec.containers[0].ports[0].name: Required value",
                        "spec.containers[0].ports[0]: Forbidden: seen",
                        "spec.containers[0].ports[1]: Forbidden: seen");
    }

    @Test
    void leaves_alone_what_is_opaque() {
        assertThat(complaints("""
                        core.v1.PodSpec
                          containers: opaque
                        core.v1.Container
                          name: required
                        """, "{spec: {initContainers: [{}], containers: [{}]}}"))
                .containsExactly("spec.initContainers[0].name: Required value");
    }

    @Test
    void says_which_line_it_does_not_understand() {
        assertThatThrownBy(() -> complaints("core.v1.PodSpec\n  nodeName: odd\n", "{spec: {}}"))
                .hasMessage("neither a constraint nor a format: odd in: nodeName: odd");
        assertThatThrownBy(() -> complaints("core.v1.PodSpec\n  nodeName required\n", "{spec: {}}"))
                .hasMessage("not a rule: nodeName required");
    }

    private static List<String> complaints(String rules, String pod) {
        Map<String, Check> checks = Map.of("named", place -> place.forbidden("seen"));
        TypeRules types = new TypeRules(List.of(RulesFile.parse(rules.lines().toList(), checks, Map.of())));
        Causes causes = new Causes();
        types.check(causes, "core.v1.Pod", (ObjectNode) Json.json(pod), null);
        return Rooms.texts(causes.list());
    }
}
