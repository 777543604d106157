package io.busbar.operator.mysqlcluster.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class CauseOfDeathTest {

    private static final Job FAILED =
            job("{type: Failed, status: 'True', reason: BackoffExceeded, message: too often}");

    @Test
    void a_signal_is_named_and_whether_it_was_for_want_of_memory() {
        assertThat(CauseOfDeath.of(FAILED, List.of(pod("containerStatuses: [{state: {terminated: {exitCode: 137}}}]"))))
                .isEqualTo("its process was killed by signal 9");
        assertThat(CauseOfDeath.of(
                        FAILED,
                        List.of(pod("containerStatuses: [{state: {terminated: {exitCode: 137, reason: OOMKilled}}}]"))))
                .isEqualTo("its process was killed by signal 9, as it used up its memory");
    }

    @Test
    void what_the_Node_says_of_the_Pod_comes_first() {
        assertThat(CauseOfDeath.of(
                        FAILED,
                        List.of(pod("{reason: Evicted, message: The node was low on memory.,"
                                + " containerStatuses: [{state: {terminated: {exitCode: 137}}}]}"))))
                .isEqualTo("its Pod was ended: Evicted: The node was low on memory.");
    }

    @Test
    void where_the_Pod_is_gone_or_says_nothing_the_Job_is_asked() {
        Job late = job("{type: Failed, status: 'True', reason: DeadlineExceeded,"
                + " message: Job was active longer than specified deadline}");
        assertThat(CauseOfDeath.of(late, List.of())).isEqualTo("Job was active longer than specified deadline");
        assertThat(CauseOfDeath.of(job(""), List.of(pod("{}")))).isEqualTo("its Pod ended without a word");
    }

    private static Job job(String condition) {
        return Serialization.unmarshal("kind: Job\nstatus: {conditions: [" + condition + "]}", Job.class);
    }

    private static Pod pod(String status) {
        String flow = status.startsWith("{") ? status : "{" + status + "}";
        return Serialization.unmarshal("kind: Pod\nstatus: " + flow, Pod.class);
    }
}
