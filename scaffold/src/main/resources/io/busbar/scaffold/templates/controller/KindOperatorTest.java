package @{controllers};

import static org.assertj.core.api.Assertions.assertThat;

import @{repo}.@{Name}Bundle;
import @{stored}.@{Kind};
import @{stored}.@{Kind}Spec;
import io.busbar.common.condition.Conditions;
import io.busbar.testkit.OperatorTest;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The whole operator, on a Kubernetes API server in this process. */
@OperatorTest(bundles = @{Name}Bundle.class)
class @{Kind}OperatorTest {

    @Test
    void one_that_is_created_becomes_ready(KubernetesClient client) {
        @{Kind} @{kind} = new @{Kind}();
        @{kind}.getMetadata().setName("a");
        @{kind}.setSpec(new @{Kind}Spec(3));
        client.resource(@{kind}).create();

        @{Kind} ready = client.resource(@{kind}).waitUntilCondition(@{Kind}OperatorTest::isReady, 60, TimeUnit.SECONDS);

        assertThat(ready.getStatus().observedGeneration())
                .isEqualTo(ready.getMetadata().getGeneration());
    }

    private static boolean isReady(@{Kind} @{kind}) {
        return @{kind} != null
                && @{kind}.getStatus() != null
                && Conditions.isTrue(@{kind}.getStatus().conditions(), "Ready");
    }
}
