package io.busbar.reconciler.write;

import io.busbar.common.ObjectKey;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses names as the API server does for a {@code generateName}, and remembers those whose objects may be there
 * although nobody has said so: the next object of the same kind and owner gets such a name first. If it is there, the
 * API server refuses it a second time.
 *
 * <p>Any thread. Source of length and alphabet: k8s.io/apiserver, storage/names.
 */
final class GeneratedNames {

    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int RANDOM = 5;
    private static final int LONGEST = 63;

    private final IntUnaryOperator random;
    private final Map<Series, Deque<String>> doubtful = new ConcurrentHashMap<>();

    /**
     * Objects of which any may take the place of another.
     *
     * @param prefix the generateName
     */
    record Series(Class<?> type, String namespace, String prefix, ObjectKey owner, String ownerUid) {}

    /**
     * @param doubtful whether the object may be there already
     */
    record Choice(String name, boolean doubtful) {}

    /** @param random a number from 0 to below its operand */
    GeneratedNames(IntUnaryOperator random) {
        this.random = random;
    }

    /**
     * A name for one more object, that nobody else gets meanwhile.
     *
     * @param known whether the object of a name is known to be there
     */
    Choice next(Series series, Predicate<String> known) {
        for (String name = poll(series); name != null; name = poll(series)) {
            if (!known.test(name)) {
                return new Choice(name, true);
            }
        }
        String name;
        do {
            name = fresh(series.prefix());
        } while (known.test(name));
        return new Choice(name, false);
    }

    private @Nullable String poll(Series series) {
        Deque<String> names = doubtful.get(series);
        return names == null ? null : names.poll();
    }

    /** Nobody knows whether the object of this name was created. */
    void doubt(Series series, String name) {
        doubtful.compute(series, (same, names) -> {
            Deque<String> all = names == null ? new ConcurrentLinkedDeque<>() : names;
            all.add(name);
            return all;
        });
    }

    /** No objects of an owner are created any more. */
    void forget(ObjectKey owner) {
        doubtful.keySet().removeIf(series -> series.owner().equals(owner));
    }

    private String fresh(String prefix) {
        StringBuilder name = new StringBuilder(prefix);
        name.setLength(Math.min(prefix.length(), LONGEST - RANDOM));
        for (int i = 0; i < RANDOM; i++) {
            name.append(ALPHABET.charAt(random.applyAsInt(ALPHABET.length())));
        }
        return name.toString();
    }
}
