package io.busbar.sandbox.select;

import static io.busbar.sandbox.Json.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardSelectorTest {

    private static final String LOWER = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
    private static final String UPPER = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";
    /** Its hash is 0x85944171f73967e8. */
    private static final ObjectNode FOOBAR = object("{metadata: {uid: 'foobar', namespace: 'a'}}");

    @ParameterizedTest
    @ValueSource(
            strings = {
                LOWER,
                "shardRange(object.metadata.uid,'0x0000000000000000','0x8000000000000000')",
                "  shardRange( object.metadata.uid ,\n \"0x0000000000000000\" , r'0x8000000000000000' ) // half",
                "((shardRange(object.metadata.uid, '0x0000000000000000', ('0x8000000000000000'))))"
            })
    void tells_what_was_asked_for_in_one_form(String text) {
        assertThat(ShardSelector.parse(text).text()).isEqualTo(LOWER);
    }

    @Test
    void keeps_ranges_in_their_order() {
        assertThat(ShardSelector.parse(UPPER + "||(" + LOWER + " || " + UPPER + ")")
                        .text())
                .isEqualTo(UPPER + " || " + LOWER + " || " + UPPER);
    }

    @Test
    void goes_by_the_hash_of_the_uid() {
        assertThat(ShardSelector.parse(UPPER).matches(FOOBAR)).isTrue();
        assertThat(ShardSelector.parse(LOWER).matches(FOOBAR)).isFalse();
        assertThat(ShardSelector.parse(LOWER + " || " + UPPER).matches(FOOBAR)).isTrue();
    }

    @Test
    void goes_by_the_hash_of_the_namespace() {
        // Of 'a' it is 0xaf63dc4c8601ec8c, of nothing 0xcbf29ce484222325.
        ShardSelector selector = ShardSelector.parse(
                "shardRange(object.metadata.namespace, '0xaf63dc4c8601ec8c', '0xaf63dc4c8601ec8d')");
        assertThat(selector.matches(FOOBAR)).isTrue();
        assertThat(selector.matches(object("{metadata: {uid: 'foobar'}}"))).isFalse();
        assertThat(ShardSelector.parse(
                                "shardRange(object.metadata.namespace, '0xcbf29ce484222325', '0xcbf29ce484222326')")
                        .matches(object("{metadata: {uid: 'foobar'}}")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0x85944171f73967e8, 0x85944171f73967e9, true",
        "0x85944171f73967e7, 0x85944171f73967e8, false",
        "0x85944171f73967e9, 0x10000000000000000, false",
        "0x0000000000000000, 0x85944171f73967e9, true",
        "0x0000000000000000, 0x10000000000000000, true"
    })
    void a_range_has_its_start_and_not_its_end(String start, String end, boolean selected) {
        String text = "shardRange(object.metadata.uid, '" + start + "', '" + end + "')";
        assertThat(ShardSelector.parse(text).matches(FOOBAR)).isEqualTo(selected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 1000})
    void ranges_side_by_side_select_each_object_once(int count) {
        List<ShardSelector> selectors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            selectors.add(ShardSelector.parse(
                    "shardRange(object.metadata.uid, '" + bound(i, count) + "', '" + bound(i + 1, count) + "')"));
        }
        Random random = new Random(5866);
        for (int i = 0; i < 500; i++) {
            ObjectNode object = object("{metadata: {uid: '" + new UUID(random.nextLong(), random.nextLong()) + "'}}");
            assertThat(selectors.stream().filter(selector -> selector.matches(object)))
                    .hasSize(1);
        }
    }

    private static String bound(int index, int count) {
        BigInteger bound =
                BigInteger.ONE.shiftLeft(64).multiply(BigInteger.valueOf(index)).divide(BigInteger.valueOf(count));
        return String.format("0x%016x", bound);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "` `|empty shard selector is not allowed; omit the parameter for unfiltered lists",
                "shardRange(object.metadata.uid, 'a', 'b'|CEL parse error: Syntax error: ",
                "object.metadata.uid|unexpected expression kind 7; expected shardRange() call or || operator",
                "'x'|unexpected expression kind 5; expected shardRange() call or || operator",
                "all|unexpected expression kind 3; expected shardRange() call or || operator",
                "object.metadata.uid > '0x0'|unsupported function \"_>_\"; only shardRange() and || are allowed",
                "f(x) && g(x)|unsupported function \"_&&_\"; only shardRange() and || are allowed",
                "!shardRange(a)|unsupported function \"!_\"; only shardRange() and || are allowed",
                "ShardRange(a)|unsupported function \"ShardRange\"; only shardRange() and || are allowed",
                "has(object.metadata)|unsupported function \"has\"; only shardRange() and || are allowed",
                "shardRange(object.metadata.uid, '0x0')|shardRange() requires exactly 3 arguments, got 2",
                "shardRange('uid', 'a', 'b')|shardRange() first argument: expected field path (e.g. object.metadata.uid),"
                        + " got expression kind 5",
                "shardRange(metadata.uid, 'a', 'b')|unsupported field path \"metadata.uid\"; supported:"
                        + " object.metadata.uid, object.metadata.namespace",
                "shardRange(object.metadata.uid, hex(0), 'b')|hexStart must be a string literal (e.g. '0xff'), got"
                        + " expression kind 1",
                "shardRange(object.metadata.uid, 0, 8)|hexStart must be a string literal, got int64",
                "shardRange(object.metadata.uid, 8u, 8)|hexStart must be a string literal, got uint64",
                "shardRange(object.metadata.uid, '0x0000000000000000', b'x')|hexEnd must be a string literal, got []uint8",
                "shardRange(object.metadata.uid, '0000000000000000', 'b')|hexStart must have '0x' prefix, got"
                        + " \"0000000000000000\"",
                "shardRange(object.metadata.uid, '0x', 'b')|hexStart: hex value is required after '0x'",
                "shardRange(object.metadata.uid, '0x000000000000000000', 'b')|hexStart: hex value too long (18 chars, max"
                        + " 17): \"000000000000000000\"",
                "shardRange(object.metadata.uid, '0x0000000000000000', '0xF')|hexEnd: invalid hex character \"F\" in"
                        + " \"0xF\"",
                "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000001')|hexEnd: 17-digit hex value"
                        + " must be '0x10000000000000000' (2^64), got \"0x10000000000000001\"",
                "shardRange(object.metadata.uid, '0xff', 'b')|hexStart must be a 0x-prefixed 16-digit hex value, got"
                        + " \"0xff\" (did you mean \"0x00000000000000ff\"?)",
                "shardRange(object.metadata.uid, '0x8000000000000000', '0x8000000000000000')|shard range start"
                        + " 0x8000000000000000 must be less than end 0x8000000000000000",
                "shardRange(object.metadata.uid, '0x10000000000000000', '0xffffffffffffffff')|shard range start"
                        + " 0x10000000000000000 must be less than end 0xffffffffffffffff",
            })
    void is_refused_in_the_words_of_kubernetes(String text, String message) {
        assertThatThrownBy(() -> ShardSelector.parse(text))
                .isInstanceOf(SelectorException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void is_about_one_field() {
        assertThatThrownBy(() -> ShardSelector.parse(LOWER + " || " + UPPER.replace("uid", "namespace")))
                .isInstanceOf(SelectorException.class)
                .hasMessage("all shard ranges must use the same field, got \"object.metadata.uid\" and"
                        + " \"object.metadata.namespace\"");
    }
}
