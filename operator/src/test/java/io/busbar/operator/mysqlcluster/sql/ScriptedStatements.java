package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A conversation in which each statement is known beforehand, and what is answered. It does not imitate what a
 * statement does, nor time.
 */
final class ScriptedStatements implements Statements {

    private final Deque<Exchange> expected = new ArrayDeque<>();
    private boolean open = true;

    private record Exchange(String statement, Optional<List<Row>> answer) {}

    /** One row for each array of values, NULL as null. */
    ScriptedStatements then(String statement, List<String> columns, String[]... rows) {
        List<Row> answer =
                Arrays.stream(rows).map(values -> row(columns, values)).toList();
        expected.add(new Exchange(statement, Optional.of(answer)));
        return this;
    }

    /** Answered by no rows. */
    ScriptedStatements then(String... statements) {
        for (String statement : statements) {
            expected.add(new Exchange(statement, Optional.of(List.of())));
        }
        return this;
    }

    /** Refused; the session goes on. */
    void thenFails(String statement) {
        expected.add(new Exchange(statement, Optional.empty()));
    }

    static Row row(List<String> columns, String... values) {
        Map<String, Optional<String>> named = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            named.put(columns.get(i), Optional.ofNullable(values[i]));
        }
        return new Row(named);
    }

    @Override
    public List<Row> query(String sql, Duration patience) throws SqlFailure {
        Exchange next = expected.poll();
        assertThat(sql).isEqualTo(next == null ? "nothing more" : next.statement());
        return Objects.requireNonNull(next)
                .answer()
                .orElseThrow(() -> new SqlFailure(SqlFailure.Kind.REFUSED, "refused", null));
    }

    @Override
    public void secret(String kind, String sql) throws SqlFailure {
        query(sql, PATIENCE);
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
    }

    void assertSpoken() {
        assertThat(expected).isEmpty();
    }
}
