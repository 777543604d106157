package io.busbar.admission.conversion;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.admission.patch.JsonPatch;
import io.busbar.common.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

/**
 * For an author's tests: shows with random objects that what is converted to another version and back is what it was.
 * What a version cannot hold has to be declared, lest a field that a converter forgets be kept in an annotation
 * unnoticed.
 *
 * <pre>{@code
 * RoundTrips.of(VERSIONS)
 *         .keeping("/spec/namespace")
 *         .check(WidgetV1.class, WidgetV2.class, random -> widget(random))
 *         .check(WidgetV2.class, WidgetV1.class, random -> hub(random));
 * }</pre>
 *
 * <p>Immutable. The seed is fixed, so that a test that fails goes on failing.
 *
 * @param kept JSON Pointers of what may be kept in an annotation, with all that is below them
 */
public record RoundTrips(Versions<?> versions, Set<String> kept, long seed, int samples) {

    public RoundTrips {
        kept = Set.copyOf(kept);
    }

    public static RoundTrips of(Versions<?> versions) {
        return new RoundTrips(versions, Set.of(), 1, 200);
    }

    /** With these places instead. */
    public RoundTrips keeping(String... pointers) {
        return new RoundTrips(versions, Set.of(pointers), seed, samples);
    }

    /** With another seed. */
    public RoundTrips seed(long other) {
        return new RoundTrips(versions, kept, other, samples);
    }

    /** With as many objects. */
    public RoundTrips samples(int number) {
        return new RoundTrips(versions, kept, seed, number);
    }

    /**
     * Converts random objects of one version to another and back.
     *
     * @param objects makes one, from nothing but the numbers that it is given
     * @return itself, for the other direction
     * @throws AssertionError naming the first field that differs, or is kept and must not be
     */
    public <A extends HasMetadata, B extends HasMetadata> RoundTrips check(
            Class<A> type, Class<B> via, Function<Random, A> objects) {
        Model<A> model = Model.of(type);
        ResourceType other = ResourceType.of(via);
        Random random = new Random(seed);
        for (int sample = 0; sample < samples; sample++) {
            ObjectNode object = model.encode(objects.apply(random));
            try {
                check(model, object, other.apiVersion());
            } catch (UnconvertibleException | AssertionError e) {
                throw new AssertionError(
                        "object " + sample + " of seed " + seed + ", "
                                + model.resource().version() + " to " + other.version() + " and back: " + e.getMessage()
                                + "\n" + object,
                        e);
            }
        }
        return this;
    }

    private <A extends HasMetadata> void check(Model<A> model, ObjectNode object, String via)
            throws UnconvertibleException {
        ObjectNode converted = versions.convert(object, via);
        List<String> unexpected = Keepsake.takeFrom(
                        converted.deepCopy(), model.resource().version())
                .losses()
                .stream()
                .map(Loss::path)
                .filter(path -> kept.stream().noneMatch(may -> path.equals(may) || path.startsWith(may + "/")))
                .toList();
        if (!unexpected.isEmpty()) {
            throw new AssertionError("not held by " + via + ", and not declared: " + String.join(", ", unexpected));
        }
        ObjectNode back = versions.convert(converted, model.resource().apiVersion());
        ObjectNode again = model.encode(model.decode(back));
        JsonNode differences = JsonPatch.diff(object, again);
        if (!differences.isEmpty()) {
            String path = differences.at("/0/path").asText();
            throw new AssertionError(
                    path + " was " + shown(object.at(path)) + " and has become " + shown(again.at(path)));
        }
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "absent" : value.toString();
    }
}
