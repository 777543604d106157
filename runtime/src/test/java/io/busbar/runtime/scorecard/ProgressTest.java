package io.busbar.runtime.scorecard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.runtime.scorecard.Progress.Readiness;
import org.junit.jupiter.api.Test;

class ProgressTest {

    @Test
    void nothing_is_written_before_there_is_a_status_for_what_is_wanted() throws JsonProcessingException {
        assertThat(of("{}").written()).isFalse();
        assertThat(of("{'status': {}}").written()).isFalse();
        assertThat(of("{'metadata': {'generation': 2}, 'status': {'observedGeneration': 1, 'phase': 'Ready'}}"))
                .isEqualTo(new Progress(false, Readiness.NOT_YET, "the status is for generation 1, 2 is wanted"));
        assertThat(of("{'metadata': {'generation': 2}, 'status': {'observedGeneration': 2}}")
                        .written())
                .isTrue();
    }

    @Test
    void the_plainest_condition_decides() throws JsonProcessingException {
        assertThat(conditions("{'type': 'Degraded', 'status': 'True'}, {'type': 'Ready', 'status': 'True'}"))
                .isEqualTo(new Progress(true, Readiness.READY, "Ready is True"));
        assertThat(conditions("{'type': 'Available', 'status': 'False', 'reason': 'NoPod', 'message': '0 of 3 Pods'}"))
                .isEqualTo(new Progress(true, Readiness.NOT_YET, "Available is False (NoPod: 0 of 3 Pods)"));
    }

    @Test
    void without_one_a_phase_does_and_then_that_nothing_is_wrong() throws JsonProcessingException {
        assertThat(of("{'status': {'phase': 'Running'}}").readiness()).isEqualTo(Readiness.READY);
        assertThat(of("{'status': {'phase': 'Creating'}}").readiness()).isEqualTo(Readiness.NOT_YET);
        assertThat(conditions("{'type': 'Progressing', 'status': 'False'}").readiness())
                .isEqualTo(Readiness.READY);
        assertThat(conditions("{'type': 'Progressing', 'status': 'True'}").readiness())
                .isEqualTo(Readiness.NOT_YET);
    }

    @Test
    void what_says_nothing_of_readiness_is_not_taken_for_ready() throws JsonProcessingException {
        assertThat(of("{'status': {'replicas': 3}}"))
                .isEqualTo(new Progress(true, Readiness.UNTOLD, "its status has neither conditions nor a phase"));
        assertThat(conditions("{'type': 'Painted', 'status': 'True'}"))
                .isEqualTo(new Progress(true, Readiness.UNTOLD, "no condition says that it is ready: Painted is True"));
    }

    private static Progress conditions(String list) throws JsonProcessingException {
        return of("{'status': {'conditions': [" + list + "]}}");
    }

    private static Progress of(String json) throws JsonProcessingException {
        return Progress.of(new ObjectMapper().readTree(json.replace('\'', '"')));
    }
}
