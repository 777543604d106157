package io.busbar.operator.mysqlcluster.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an operator knows that no look at the cluster tells: what it has done in this turn and what came of that, and
 * the little that it keeps from turn to turn. Nothing that must not be forgotten: the next operator begins without.
 *
 * <p>Immutable.
 *
 * @param begin what was decided before this turn
 * @param deeds of this turn, in order
 * @param remembered from turn to turn
 * @param recommendation how many members the load calls for; empty while that was not asked in this turn
 */
public record Memory(Progress begin, List<Deed> deeds, Remembered remembered, Optional<Recommendation> recommendation) {

    public Memory {
        deeds = List.copyOf(deeds);
    }

    /**
     * Something that was done, or tried.
     *
     * <p>Immutable.
     *
     * @param kind of action
     * @param member by its name
     * @param failure why it was not done, or may not have been; empty where it was
     */
    public record Deed(Class<?> kind, String member, Optional<String> failure) {}

    /**
     * How many members there should be, by their load.
     *
     * <p>Immutable.
     *
     * @param calledFor without bounds
     */
    public record Recommendation(int size, int calledFor) {}

    public static Memory atBegin(Progress begin, Remembered remembered) {
        return new Memory(begin, List.of(), remembered, Optional.empty());
    }

    /** Whether that was done or tried in this turn. */
    public boolean hasTried(Class<?> kind, Member member) {
        return last(kind, member).isPresent();
    }

    /** Whether that was done in this turn, when it was tried last. */
    public boolean hasDone(Class<?> kind, Member member) {
        return last(kind, member).filter(deed -> deed.failure().isEmpty()).isPresent();
    }

    /** How often that was done or tried in this turn. */
    public long times(Class<?> kind, Member member) {
        return of(kind, member).count();
    }

    /** Why that was not done in this turn, when it was tried last; empty where it was done, or not tried. */
    public Optional<String> failure(Class<?> kind, Member member) {
        return last(kind, member).flatMap(Deed::failure);
    }

    private Optional<Deed> last(Class<?> kind, Member member) {
        return of(kind, member).reduce((earlier, later) -> later);
    }

    private Stream<Deed> of(Class<?> kind, Member member) {
        return deeds.stream()
                .filter(deed -> deed.kind() == kind && deed.member().equals(member.name()));
    }

    public Memory with(Deed deed) {
        List<Deed> more = new ArrayList<>(deeds);
        more.add(deed);
        return new Memory(begin, more, remembered, recommendation);
    }

    public Memory with(Remembered next) {
        return new Memory(begin, deeds, next, recommendation);
    }

    public Memory with(Recommendation next) {
        return new Memory(begin, deeds, remembered, Optional.of(next));
    }
}
