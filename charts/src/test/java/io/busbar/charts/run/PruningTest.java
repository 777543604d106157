package io.busbar.charts.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers to deletions, in the words of kube-apiserver. */
class PruningTest {

    private static Runnable refusal(String message) {
        return () -> {
            throw new KubernetesClientException(new StatusBuilder()
                    .withCode(403)
                    .withReason("Forbidden")
                    .withMessage(message)
                    .build());
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "configmaps \"it\" is forbidden: User \"system:serviceaccount:a:b\" cannot delete resource \"configmaps\""
                        + " in API group \"\" in the namespace \"default\"",
                "configmaps is forbidden: User \"b\" cannot list resource \"configmaps\" in API group \"\" at the"
                        + " cluster scope: RBAC: role.rbac.authorization.k8s.io \"missing\" not found"
            })
    void a_right_is_lacking_where_the_user_is_not_allowed_to(String message) {
        assertThat(Pruning.isAllowed(refusal(message))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "admission webhook \"guard.example.com\" denied the request: User \"b\" cannot delete resource",
                "admission webhook \"guard.example.com\" denied the request: configmaps \"it\" is forbidden: User \"b\""
                        + " cannot delete resource \"configmaps\"",
                "admission webhook \"guard.example.com\" denied the request without explanation",
                "configmaps \"it\" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'all' denied request: no",
                "configmaps \"it\" is forbidden: somebody else, such as a plugin of the API server, has denied it"
            })
    void no_right_is_lacking_where_somebody_has_looked_at_the_request_and_denied_it(String message) {
        assertThatThrownBy(() -> Pruning.isAllowed(refusal(message))).hasMessageContaining("denied");
    }
}
