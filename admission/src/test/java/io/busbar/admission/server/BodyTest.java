package io.busbar.admission.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** How the bytes of a request are kept until it is whole. */
class BodyTest {

    private static final int PIECE = Pieces.BYTES;

    private final Pieces pieces = new Pieces();

    @Property(tries = 300)
    void is_what_came_however_it_came(
            @ForAll @IntRange(max = 300_000) int length, @ForAll boolean announced, @ForAll long seed) {
        Random random = new Random(seed);
        byte[] sent = new byte[length];
        random.nextBytes(sent);
        Body body = new Body(announced ? length : -1, pieces);
        for (int done = 0; done < length; ) {
            int bytes = Math.min(length - done, 1 + random.nextInt(100_000));
            Buffer chunk = Buffer.buffer().appendBytes(sent, done, bytes);
            long promised = body.capacityWith(chunk);
            body.append(chunk);
            done += bytes;
            assertThat(body.length()).isEqualTo(done);
            assertThat(promised).isBetween((long) done, (long) done + PIECE);
        }
        assertThat(body.complete()).isEqualTo(sent);
        body.drop();
    }

    @Test
    void one_that_comes_at_once_is_kept_in_an_array_of_its_own_and_is_not_copied() {
        Body body = new Body(100_000, pieces);
        Buffer chunk = Buffer.buffer(new byte[100_000]);

        assertThat(body.capacityWith(chunk)).isEqualTo(100_000);
        body.append(chunk);
        assertThat(body.complete()).isSameAs(body.complete());
        body.drop();
        assertThat(pieces.idle()).isZero();
    }

    @Test
    void does_not_take_what_was_announced_before_it_has_come() {
        Body body = new Body(7_000_000, pieces);

        assertThat(body.capacityWith(Buffer.buffer("a"))).isEqualTo(16 * 1024);
    }

    @Test
    void a_long_one_leaves_its_memory_to_the_next() {
        Body one = new Body(-1, pieces);
        one.append(Buffer.buffer(new byte[4 * PIECE]));
        one.drop();
        assertThat(pieces.idle()).isEqualTo(4);

        Body next = new Body(-1, pieces);
        next.append(Buffer.buffer(new byte[2 * PIECE]));
        assertThat(pieces.idle()).isEqualTo(2);
    }

    @Test
    void memory_that_nobody_needs_any_more_is_let_go_by_and_by() {
        Body body = new Body(-1, pieces);
        body.append(Buffer.buffer(new byte[4 * PIECE]));
        body.drop();

        pieces.trim();
        assertThat(pieces.idle()).as("those taken since").isEqualTo(4);
        pieces.trim();
        assertThat(pieces.idle()).isEqualTo(2);
        pieces.trim();
        pieces.trim();
        assertThat(pieces.idle()).isZero();
    }
}
