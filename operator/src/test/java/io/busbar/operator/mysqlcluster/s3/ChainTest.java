package io.busbar.operator.mysqlcluster.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.operator.mysqlcluster.s3.Selection.Choice;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What leads from a backup to a target, and what is said where nothing does. */
class ChainTest {

    private static final String A = "aaaaaaaa-0000-0000-0000-000000000001";
    private static final String B = "bbbbbbbb-0000-0000-0000-000000000002";

    /** Of a primary and, after a failover, of the one that had all but the last of it. */
    private static final List<Segment> MARIADB = List.of(
            segment(1, "", "0-1-100", 1, false),
            segment(2, "0-1-100", "0-1-200", 2, true),
            segment(3, "0-1-200", "0-1-300", 3, true),
            segment(4, "0-1-150", "0-1-290", 3, true),
            segment(5, "0-1-290", "0-1-300,0-2-400", 4, true));

    private static final List<Segment> MYSQL = List.of(
            segment(1, "", A + ":1-100", 1, false),
            segment(2, A + ":1-100", A + ":1-200", 2, true),
            segment(3, A + ":1-150", A + ":1-200," + B + ":1-50", 3, true));

    private static Segment segment(long number, String start, String end, int minute, boolean continues) {
        return segment(number, start, end, time(minute), continues);
    }

    private static Segment segment(long number, String start, String end, @Nullable String time, boolean continues) {
        return new Segment(number, start, end, time, time, "db-0", "binlog.000001", 1, "", "", continues, 1);
    }

    private static String time(int minute) {
        return "2026-01-31T12:0%d:30Z".formatted(minute);
    }

    private static Target moment(int minute) {
        return Target.moment("2026-01-31T12:0%d:00Z".formatted(minute));
    }

    private static List<Long> numbers(List<Segment> archived, String backup, Target target) {
        return numbers(Flavor.MARIADB, archived, backup, target);
    }

    private static List<Long> numbers(Flavor flavor, List<Segment> archived, String backup, Target target) {
        return new Chain(flavor, Position.of(flavor, backup), target)
                .of(archived).stream().map(Segment::number).toList();
    }

    private static Target all(Flavor flavor, String gtid) {
        return Target.transactions(flavor, gtid);
    }

    private static Target all(String gtid) {
        return all(Flavor.MARIADB, gtid);
    }

    private static List<Segment> without(int index) {
        List<Segment> some = new ArrayList<>(MARIADB);
        some.remove(index);
        return some;
    }

    private static void refused(List<Segment> archived, String backup, Target target, String... why) {
        assertThatThrownBy(() -> numbers(archived, backup, target))
                .isInstanceOf(OutOfReach.class)
                .hasMessageContainingAll(why);
    }

    @Test
    void begins_with_the_file_that_the_backup_stands_in_and_ends_with_the_one_that_the_target_is_in() {
        assertThat(numbers(MARIADB, "0-1-120", all("0-1-250"))).containsExactly(2L, 3L);
        assertThat(numbers(MARIADB, "0-1-120", moment(3))).containsExactly(2L);
        assertThat(numbers(MARIADB, "0-1-120", moment(2))).isEmpty();
    }

    @Test
    void passes_over_what_another_member_has_archived_already() {
        assertThat(numbers(MARIADB, "0-1-120", all("0-2-400"))).containsExactly(2L, 3L, 5L);
        assertThat(numbers(Flavor.MYSQL, MYSQL, A + ":1-120", all(Flavor.MYSQL, A + ":1-200," + B + ":1-10")))
                .containsExactly(2L, 3L);
    }

    @Test
    void of_a_moment_after_all_the_last_file_is_read_for_when_it_was_closed() {
        assertThat(numbers(MARIADB, "0-2-400", moment(9))).containsExactly(5L);
        assertThat(numbers(MARIADB, "0-1-300", moment(9))).containsExactly(5L);
    }

    @Test
    void nothing_has_to_be_read_where_the_backup_is_the_target() {
        assertThat(numbers(MARIADB, "0-1-120", all("0-1-120"))).isEmpty();
        assertThat(numbers(List.of(), "0-1-120", all("0-1-120"))).isEmpty();
    }

    @Test
    void a_file_that_is_missing_is_named() {
        refused(without(2).subList(0, 2), "0-1-120", all("0-1-250"), "does not have all of gtid '0-1-250'", "0-1-200");
        List<Segment> torn = List.of(MARIADB.get(1), segment(7, "0-1-400", "0-1-500", 5, true));
        refused(torn, "0-1-120", all("0-1-450"), "lacks the binary logs 3 to 6", "begins at '0-1-400'", "is '0-1-200'");
    }

    @Test
    void a_gap_and_a_fork_are_refused_only_where_they_are_on_the_way() {
        Segment afterGap = segment(6, "0-2-500", "0-2-600", 6, false);
        List<Segment> torn = new ArrayList<>(MARIADB);
        torn.add(afterGap);
        refused(torn, "0-1-120", all("0-2-550"), "gap or a fork in the archive before the binary log 6", "'0-2-500'");
        refused(torn, "0-1-120", moment(9), "gap or a fork in the archive before the binary log 6");
        assertThat(numbers(torn, "0-1-120", moment(4))).containsExactly(2L, 3L);
        assertThat(numbers(torn, "0-2-520", moment(9))).containsExactly(6L);

        Segment acrossMoment =
                new Segment(2, "0-1-100", "0-1-200", time(2), time(5), "db-0", "binlog.000002", 1, "", "", true, 1);
        assertThat(numbers(List.of(acrossMoment, afterGap), "0-1-120", moment(4)))
                .containsExactly(2L);

        List<Segment> forked = List.of(MARIADB.get(1), segment(3, "0-2-190", "0-2-300", 3, false));
        refused(forked, "0-1-120", all("0-2-250"), "a gap or a fork in the archive before the binary log 3");
    }

    @Test
    void after_a_fork_the_history_counts_that_went_on() {
        List<Segment> forked = List.of(
                segment(1, "", A + ":1-103", 1, false),
                segment(2, A + ":1-80", A + ":1-100," + B + ":1-50", 3, false),
                segment(3, A + ":1-100," + B + ":1-50", A + ":1-100," + B + ":1-90", 5, true));
        String before = A + ":1-90";
        String since = A + ":1-100," + B + ":1-30";

        assertThat(numbers(Flavor.MYSQL, forked, since, moment(9))).containsExactly(2L, 3L);
        assertThat(numbers(Flavor.MYSQL, forked, before, moment(9))).containsExactly(2L, 3L);
        assertThat(numbers(Flavor.MYSQL, forked, before, all(Flavor.MYSQL, A + ":1-100," + B + ":1-10")))
                .containsExactly(2L);
        assertThat(numbers(Flavor.MYSQL, forked, before, all(Flavor.MYSQL, A + ":1-103")))
                .containsExactly(1L);
        assertThatThrownBy(() -> numbers(Flavor.MYSQL, forked, A + ":1-102", moment(9)))
                .isInstanceOf(OutOfReach.class)
                .hasMessageContaining("different histories");

        List<Segment> ofMariaDb =
                List.of(segment(1, "", "0-1-103", 1, false), segment(2, "0-1-80", "0-1-100,0-2-150", 3, false));
        assertThat(numbers(ofMariaDb, "0-2-102", moment(9))).containsExactly(2L);
        assertThat(numbers(ofMariaDb, "0-1-90", all("0-2-103"))).containsExactly(2L);
        assertThat(numbers(ofMariaDb, "0-1-90", all("0-1-103"))).containsExactly(1L);
    }

    @Test
    void a_backup_of_writes_that_were_lost_in_a_failover_is_of_another_history() {
        List<Segment> after = List.of(segment(1, "", A + ":1-100," + B + ":1-50", 3, false));
        assertThatThrownBy(() -> numbers(Flavor.MYSQL, after, A + ":1-103", moment(9)))
                .isInstanceOf(OutOfReach.class)
                .hasMessageContaining("'" + A + ":101-103'")
                .hasMessageContaining("different histories");

        Selection selection = new Selection(Flavor.MARIADB, Position.of(Flavor.MARIADB, "0-1-100"), moment(9));
        assertThat(selection.choose(new Transaction("0-2-99", Instant.EPOCH))).isEqualTo(Choice.LEFT_OUT);
        assertThatThrownBy(() -> selection.choose(new Transaction("0-2-100", Instant.EPOCH)))
                .isInstanceOf(OutOfReach.class)
                .hasMessageContaining("0-2-100", "different histories");
    }

    @Test
    void a_target_before_the_backup_and_one_beyond_the_archive_are_refused() {
        refused(MARIADB, "0-1-120", all("0-1-110"), "the backup holds more, '0-1-120'");
        refused(MARIADB, "0-1-120", all("0-1-500"), "does not have all of gtid '0-1-500'");
        refused(MARIADB, "0-1-120,7-1-3", all("0-1-200"), "the backup holds more");
        refused(List.of(), "0-1-120", moment(1), "there is no archive of binary logs beside the backup");
        assertThatThrownBy(() -> Target.transactions(Flavor.MYSQL, "0-1-120"))
                .isInstanceOf(OutOfReach.class)
                .hasMessageContaining("gtid is 0-1-120, and must be a GTID set of MySQL");
        assertThatThrownBy(() -> Target.moment("yesterday"))
                .isInstanceOf(OutOfReach.class)
                .hasMessageContaining("pointInTime is yesterday");
    }

    @Test
    void takes_each_transaction_once_up_to_the_end_of_the_second_and_nothing_after_it() {
        Selection selection = new Selection(Flavor.MARIADB, Position.of(Flavor.MARIADB, "0-1-1"), moment(3));

        assertThat(selection.choose(at("0-1-1", "12:02:58Z"))).isEqualTo(Choice.LEFT_OUT);
        assertThat(selection.choose(at("0-1-2", "12:03:00.999Z"))).isEqualTo(Choice.TAKEN);
        assertThat(selection.choose(at("0-1-2", "12:03:00.999Z"))).isEqualTo(Choice.LEFT_OUT);
        selection.requireEnd(Instant.parse("2026-01-31T12:03:00Z"));
        assertThatThrownBy(() -> selection.requireEnd(Instant.parse("2026-01-31T12:02:59Z")))
                .hasMessageContaining("the archive ends at 2026-01-31T12:02:59Z, before 2026-01-31T12:03:00Z");
        assertThat(selection.choose(at("0-1-3", "12:03:01Z"))).isEqualTo(Choice.BEYOND);
        selection.requireEnd(Instant.EPOCH);
        assertThat(selection.reached().text()).isEqualTo("0-1-2");
        assertThat(selection.taken()).isEqualTo(1);
    }

    @Test
    void takes_what_was_asked_for_by_name_and_no_more() {
        Selection selection =
                new Selection(Flavor.MYSQL, Position.of(Flavor.MYSQL, A + ":1"), all(Flavor.MYSQL, A + ":1-2:4"));

        assertThat(List.of(A + ":1", A + ":2", A + ":3", A + ":4", B + ":1").stream()
                        .map(gtid -> selection.choose(new Transaction(gtid, Instant.EPOCH))))
                .containsExactly(Choice.LEFT_OUT, Choice.TAKEN, Choice.LEFT_OUT, Choice.TAKEN, Choice.LEFT_OUT);
        selection.requireEnd(Instant.EPOCH);
        Selection nothing =
                new Selection(Flavor.MYSQL, Position.of(Flavor.MYSQL, A + ":1"), all(Flavor.MYSQL, A + ":1-2"));
        assertThatThrownBy(() -> nothing.requireEnd(Instant.EPOCH)).hasMessageContaining("does not have '" + A + ":2'");
    }

    private static Transaction at(String gtid, String time) {
        return new Transaction(gtid, Instant.parse("2026-01-31T" + time));
    }
}
