package @{types};

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.FieldProblem;
import org.junit.jupiter.api.Test;

class @{Kind}ValidatorTest {

    private final @{Kind}Validator validator = new @{Kind}Validator();

    @Test
    void allows_a_new_one() {
        assertThat(validator.create(sized(3), null).problems()).isEmpty();
    }

    @Test
    void lets_it_grow() {
        assertThat(validator.update(sized(3), sized(4), null).problems()).isEmpty();
    }

    @Test
    void refuses_to_let_it_shrink() {
        assertThat(validator.update(sized(3), sized(2), null).problems())
                .extracting(FieldProblem::path)
                .containsExactly("spec.size");
    }

    private static @{Kind} sized(int size) {
        @{Kind} @{kind} = new @{Kind}();
        @{kind}.setSpec(new @{Kind}Spec(size));
        return @{kind};
    }
}
