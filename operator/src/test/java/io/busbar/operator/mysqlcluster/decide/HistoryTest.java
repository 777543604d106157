package io.busbar.operator.mysqlcluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Members of MySQL beside a primary {@code a}, by what each has. */
class HistoryTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a:1-9      | a:1-9       | false | FITS     | has all
            a:1-5      | a:1-9       | false | FITS     | has not all yet
            a:1-9,c:5  | a:1-20      | false | DIVERGED | has what a third server wrote
            a:1-9,b:1  | a:1-20      | false | DIVERGED | wrote something itself
            a:1-9,b:1  | a:1-20,b:1  | false | FITS     | was the primary once
            a:1-9      | a:1-8       | false | FITS     | has what the primary counts only once it is acknowledged
            a:1-9      | a:1-8       | true  | AHEAD    | has what the primary has lost
            a:1-9,c:5  | a:1-8       | true  | DIVERGED | has both
            a:1-9      | a:1-20      | true  | DIVERGED | asks for what was purged
            """)
    void is_told_by_whole_sets(String mine, String primary, boolean refused, History expected, String why) {
        assertThat(History.of(state('b', mine), state('a', primary), refused))
                .as(why)
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0-100-9           | 0-100-9           | true  | FITS     | has all
            0-101-5,0-100-9   | 0-101-5,0-100-12  | true  | FITS     | has not all yet
            0-101-5           | 0-101-7,0-100-12  | true  | DIVERGED | lost what it wrote, and passes over it
            0-100-9           | 0-101-7,0-100-12  | true  | DIVERGED | lost all that it wrote
            0-101-5           | 0-101-7,0-100-12  | false | FITS     | lost what it wrote, and takes it from others
            0-100-9           | 0-102-7,0-100-12  | true  | FITS     | takes what a third server wrote
            """)
    void of_mariadb_is_told_by_what_a_member_wrote_itself_too(
            String mine, String primary, boolean passesOverOwn, History expected, String why) {
        assertThat(History.of(mariaDb(101, mine, passesOverOwn), mariaDb(100, primary, passesOverOwn), false))
                .as(why)
                .isEqualTo(expected);
    }

    private static ServerState mariaDb(long id, String gtids, boolean passesOverOwn) {
        Position history = Position.of(Flavor.MARIADB, gtids);
        return new ServerState(
                Flavor.MARIADB,
                "10.11.18-MariaDB",
                id,
                Long.toString(id),
                true,
                history,
                history,
                Position.of(Flavor.MARIADB, ""),
                Optional.empty(),
                false,
                passesOverOwn,
                0,
                Optional.empty());
    }

    private static String uuid(char server) {
        return "%c0000000-0000-0000-0000-000000000000".formatted(server);
    }

    private static ServerState state(char server, String gtids) {
        String text = gtids.replaceAll("([abc]):", "$10000000-0000-0000-0000-000000000000:");
        Position history = Position.of(Flavor.MYSQL, text);
        return new ServerState(
                Flavor.MYSQL,
                "9.7.4",
                100,
                uuid(server),
                true,
                history,
                history,
                Position.of(Flavor.MYSQL, ""),
                Optional.empty(),
                false,
                false,
                0,
                Optional.empty());
    }
}
