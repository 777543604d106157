package io.busbar.reconciler;

import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How an object is applied.
 *
 * <pre>{@code
 * context.apply(service);                                                   // as almost always
 * context.apply(service, Apply.standard().decidingAllOf("spec.ports"));     // and no other ports
 * context.apply(config, Apply.standard().adopting());                       // even if a user made it
 * context.apply(volume, Apply.standard().unowned());                        // and it stays when the primary goes
 * context.apply(deployment, Apply.standard().reportingConflicts());         // unless somebody else has set the same fields
 * }</pre>
 *
 * <p>Immutable.
 *
 * @param adopts whether an object that is there and has no controller becomes the primary's; one that has another
 *     controller never does
 * @param forces whether fields that others have set are taken from them; else the apply fails with a
 *     {@link FieldConflictException}
 * @param wholeLists lists, by their paths, of which what is desired is all there is to be. In a list that the API
 *     server merges by keys, or as a set, what others put beside that stays otherwise, as it does when they change the
 *     key of an element: a port whose number is changed by hand is another port. A path such as
 *     {@code spec.template.spec.containers.ports} goes through all elements of the lists on its way
 * @param owned whether the primary becomes the controlling owner where it can, so that the object goes with it
 */
public record Apply(boolean adopts, boolean forces, Set<String> wholeLists, boolean owned) {

    private static final Pattern PATH = Pattern.compile("[^.\\s]+(\\.[^.\\s]+)*");
    private static final Apply STANDARD = new Apply(false, true, Set.of(), true);

    /**
     * @throws IllegalArgumentException when a path is not field names joined by dots
     */
    public Apply {
        wholeLists = Set.copyOf(wholeLists);
        wholeLists.stream()
                .filter(path -> !PATH.matcher(path).matches())
                .findFirst()
                .ifPresent(path -> {
                    throw new IllegalArgumentException(
                            "not the path of a list: '" + path + "'; allowed: names of fields, joined by dots");
                });
    }

    /** Leaves alone what the primary does not control, and takes any field that it wants of what it does. */
    public static Apply standard() {
        return STANDARD;
    }

    /**
     * Takes over an object that is there and has no controller, such as one that a user made for the primary to find.
     */
    public Apply adopting() {
        return new Apply(true, forces, wholeLists, owned);
    }

    /**
     * Takes no field from another manager: the apply fails with a {@link FieldConflictException} and changes nothing.
     */
    public Apply reportingConflicts() {
        return new Apply(adopts, false, wholeLists, owned);
    }

    /** In these lists, what is desired is all there is to be, and what others add goes. */
    public Apply decidingAllOf(String... lists) {
        return new Apply(adopts, forces, Set.copyOf(Arrays.asList(lists)), owned);
    }

    /**
     * Gives the object no owner: it stays when the primary goes, unless {@link Reconciler#cleanup} deletes it. One that
     * is there already must be one that this controller has applied or created before.
     */
    public Apply unowned() {
        return new Apply(adopts, forces, wholeLists, false);
    }
}
