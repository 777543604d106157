package @{controllers};

import static org.assertj.core.api.Assertions.assertThat;

import @{stored}.@{Kind};
import @{stored}.@{Kind}Spec;
import io.busbar.common.condition.Conditions;
import io.busbar.testkit.memory.InMemoryContext;
import org.junit.jupiter.api.Test;

class @{Kind}ReconcilerTest {

    private final InMemoryContext<@{Kind}> context = InMemoryContext.of(@{kind}());
    private final @{Kind}Reconciler reconciler = new @{Kind}Reconciler(context.clock());

    @Test
    void tells_that_it_is_ready() throws Exception {
        context.reconcile(reconciler);

        assertThat(Conditions.isTrue(context.primary().getStatus().conditions(), "Ready")).isTrue();
        assertThat(context.primary().getStatus().observedGeneration()).isEqualTo(1);
    }

    @Test
    void writes_nothing_when_nothing_has_changed() throws Exception {
        context.reconcile(reconciler);
        context.forget();

        context.reconcile(reconciler);

        assertThat(context.writes()).isEmpty();
    }

    private static @{Kind} @{kind}() {
        @{Kind} @{kind} = new @{Kind}();
        @{kind}.getMetadata().setName("a");
        @{kind}.setSpec(new @{Kind}Spec(3));
        return @{kind};
    }
}
