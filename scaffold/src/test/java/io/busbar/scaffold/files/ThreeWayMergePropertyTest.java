package io.busbar.scaffold.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.scaffold.files.ThreeWayMerge.Region;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ThreeWayMergePropertyTest {

    @Property
    void holds_each_of_the_three_texts_to_the_line(
            @ForAll("texts") String base, @ForAll("texts") String mine, @ForAll("texts") String theirs) {
        ThreeWayMerge merge = ThreeWayMerge.of(base, mine, theirs);

        assertThat(side(merge, Region::base)).isEqualTo(base);
        assertThat(side(merge, Region::mine)).isEqualTo(mine);
        assertThat(side(merge, Region::theirs)).isEqualTo(theirs);
    }

    @Property
    void takes_the_one_that_has_changed_when_the_other_has_not(
            @ForAll("texts") String base, @ForAll("texts") String changed) {
        assertThat(text(ThreeWayMerge.of(base, changed, base))).isEqualTo(changed);
        assertThat(text(ThreeWayMerge.of(base, base, changed))).isEqualTo(changed);
    }

    @Property
    void the_same_change_on_both_sides_is_no_conflict(@ForAll("texts") String base, @ForAll("texts") String changed) {
        assertThat(text(ThreeWayMerge.of(base, changed, changed))).isEqualTo(changed);
    }

    @Property
    void the_sides_are_alike_as_long_as_they_do_not_meet(
            @ForAll("texts") String base, @ForAll("texts") String mine, @ForAll("texts") String theirs) {
        ThreeWayMerge merge = ThreeWayMerge.of(base, mine, theirs);
        ThreeWayMerge other = ThreeWayMerge.of(base, theirs, mine);

        assertThat(other.conflicts()).isEqualTo(merge.conflicts());
        if (merge.conflicts() == 0) {
            assertThat(text(other)).isEqualTo(text(merge));
        }
    }

    @Property
    void changes_with_a_line_between_them_are_both_there(
            @ForAll("texts") String before, @ForAll("texts") String between, @ForAll("texts") String after) {
        String middle = "middle\n" + between;
        String base = before + middle + after;

        ThreeWayMerge merge = ThreeWayMerge.of(base, "mine\n" + base, base + "theirs\n");

        assertThat(merge.conflicts()).isZero();
        assertThat(text(merge)).isEqualTo("mine\n" + base + "theirs\n");
    }

    @Property
    void marks_are_there_if_and_only_if_there_are_conflicts(
            @ForAll("texts") String base, @ForAll("texts") String mine, @ForAll("texts") String theirs) {
        ThreeWayMerge merge = ThreeWayMerge.of(base, mine, theirs);

        assertThat(ThreeWayMerge.hasMarks(text(merge))).isEqualTo(merge.conflicts() > 0);
    }

    /** Of few words, so that lines repeat and sides agree at times. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a", "b", "c", "")
                .list()
                .ofMaxSize(8)
                .map(lines -> lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
    }

    private static String side(ThreeWayMerge merge, Function<Region, List<String>> side) {
        return merge.regions().stream()
                .flatMap(region -> side.apply(region).stream())
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static String text(ThreeWayMerge merge) {
        return merge.text("mine", "base", "theirs");
    }
}
