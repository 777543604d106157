package io.busbar.sandbox.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CronJobTest {

    private final Api api = Server.api();
    private final Workloads in = new Workloads(api, api.newNamespace());
    private final String cronJobs = in.newest("batch", "cronjobs");
    private final String jobs = "/apis/batch/v1/namespaces/" + in.namespace() + "/jobs";

    private Answer create(String schedule, String more) {
        return api.post(
                cronJobs,
                "{'metadata':{'name':'c'},'spec':{'schedule':'" + schedule + "'" + more
                        + ",'jobTemplate':{'spec':{'template':{'spec':{'restartPolicy':'Never','containers':"
                        + "[{'name':'c','image':'x'}]}}}}}}");
    }

    @Test
    void waits_for_its_time() {
        Answer made = create("0 0 29 2 *", "");
        assertThat(made.code()).isEqualTo(201);
        assertThat(made.text("/spec/concurrencyPolicy")).isEqualTo("Allow");
        assertThat(made.text("/spec/suspend")).isEqualTo("false");
        assertThat(made.text("/spec/successfulJobsHistoryLimit")).isEqualTo("3");
        assertThat(made.text("/spec/failedJobsHistoryLimit")).isEqualTo("1");
        assertThat(api.get(jobs).names()).isEmpty();
    }

    @Test
    void takes_schedules_by_name() {
        assertThat(create("@hourly", ",'suspend':true").code()).isEqualTo(201);
    }

    @Test
    void refuses_a_schedule_that_is_none() {
        Answer refused = create("x", "");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.causes())
                .containsExactly("FieldValueInvalid spec.schedule: Invalid value: \"x\": "
                        + Server.since(
                                36,
                                "expected exactly 5 fields, found 1: [x]",
                                "Expected exactly 5 fields, found 1: x"));
        assertThat(create("61 * * * *", "").causes())
                .singleElement()
                .asString()
                .startsWith("FieldValueInvalid spec.schedule: Invalid value: \"61 * * * *\": ");
    }

    @Test
    @Since(value = "1.36", why = "the words of these refusals")
    void says_what_is_wrong_with_a_schedule() {
        String at = "FieldValueInvalid spec.schedule: Invalid value: ";
        assertThat(create("* * * *", "").causes())
                .containsExactly(at + "\"* * * *\": expected exactly 5 fields, found 4: [* * * *]");
        assertThat(create("0 0 * * 7", "").causes())
                .containsExactly(at + "\"0 0 * * 7\": end of range (7) above maximum (6): 7");
        assertThat(create("H * * * *", "").causes())
                .containsExactly(
                        at + "\"H * * * *\": failed to parse int from H: strconv.Atoi: parsing \"H\": invalid syntax");
        assertThat(create("@reboot", "").causes())
                .containsExactly(at + "\"@reboot\": unrecognized descriptor: @reboot");
    }

    @Test
    @Since(value = "1.36", why = "the words of these refusals")
    void knows_zones_by_their_names_only() {
        String at = "FieldValueInvalid spec.timeZone: Invalid value: ";
        String explicit = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
        assertThat(create("@daily", ",'timeZone':'GMT+2'").causes())
                .containsExactly(at + "\"GMT+2\": unknown time zone GMT+2");
        assertThat(create("@daily", ",'timeZone':'Local'").causes()).containsExactly(at + "\"Local\": " + explicit);
        assertThat(create("@daily", ",'timeZone':'local'").causes())
                .containsExactlyInAnyOrder(at + "\"local\": " + explicit, at + "\"local\": unknown time zone local");
    }
}
