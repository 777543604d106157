package io.busbar.sandbox.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoTimeTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2020-01-01T00:00:00Z",
                "2020-01-01T00:00:00.5Z",
                "2020-02-29T23:59:59+02:00",
                "2020-01-01T7:00:00Z"
            })
    void times_are_taken(String text) {
        assertThat(GoTime.problem(text, false)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            yesterday            | false | parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"
            2020-01-01           | false | parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"
            2020-01-01T00:00:00  | false | parsing time "2020-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"
            2020-13-01T00:00:00Z | false | parsing time "2020-13-01T00:00:00Z": month out of range
            2021-02-29T00:00:00Z | false | parsing time "2021-02-29T00:00:00Z": day out of range
            2020-01-01T00:00:00Zz | false | parsing time "2020-01-01T00:00:00Zz": extra text: "z"
            2020-01-01T00:00:00Z | true  | parsing time "2020-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"
            """)
    void what_is_no_time_is_refused_in_words_of_go(String text, boolean micro, String problem) {
        assertThat(GoTime.problem(text, micro)).contains(problem);
    }
}
