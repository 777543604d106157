package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.cel.Quantity;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.admission.Plugin;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds Pods and claims to the LimitRanges of their namespace, and gives containers what they do not say.
 *
 * <p>One context. What the admission plugin LimitRanger does.
 */
public final class Limits implements Plugin {

    private static final GroupResource RANGES = GroupResource.core("limitranges");
    private static final GroupResource PODS = GroupResource.core("pods");
    private static final GroupResource CLAIMS = GroupResource.core("persistentvolumeclaims");
    private static final String ANNOTATION = "kubernetes.io/limit-ranger";

    private final MemoryStore store;

    public Limits(MemoryStore store) {
        this.store = store;
    }

    @Override
    public void mutate(AdmissionAttributes attributes, ObjectNode object) {
        if (isMeant(attributes, PODS)) {
            ranges(attributes).forEach(range -> fill(object, range));
        }
    }

    @Override
    public void validate(AdmissionAttributes attributes, ObjectNode object) {
        boolean pod = isMeant(attributes, PODS);
        if (!pod && (!isMeant(attributes, CLAIMS) || Metadata.of(object).deleting())) {
            return;
        }
        for (ObjectNode range : ranges(attributes)) {
            Set<String> wrong = new LinkedHashSet<>();
            for (JsonNode limit : range.path("spec").path("limits")) {
                if (pod) {
                    pod(wrong, limit, object);
                } else {
                    claim(wrong, limit, object);
                }
            }
            if (!wrong.isEmpty()) {
                String why = String.join(", ", wrong);
                throw StatusException.forbidden(
                        attributes.target().resource().named(),
                        Metadata.of(object).name(),
                        wrong.size() == 1 ? why : "[" + why + "]");
            }
        }
    }

    /** Of Pods only what cannot be changed later is looked at once. */
    private static boolean isMeant(AdmissionAttributes attributes, GroupResource kind) {
        String part = attributes.target().subresource();
        boolean pods = kind.equals(PODS);
        return attributes.target().resource().storage().equals(kind)
                && ((part.isEmpty() && (!pods || attributes.operation().equals("CREATE")))
                        || (pods && part.equals("resize")));
    }

    private Collection<ObjectNode> ranges(AdmissionAttributes attributes) {
        return store.shelf(RANGES).objects(attributes.target().namespace()).values();
    }

    private static void fill(ObjectNode pod, ObjectNode range) {
        Amounts requests = new Amounts();
        Amounts limits = new Amounts();
        for (JsonNode limit : range.path("spec").path("limits")) {
            if (limit.path("type").asText().equals("Container")) {
                requests.byName()
                        .putAll(Amounts.of(limit.path("defaultRequest")).byName());
                limits.byName().putAll(Amounts.of(limit.path("default")).byName());
            }
        }
        List<String> notes = new ArrayList<>();
        for (String list : List.of("containers", "initContainers")) {
            for (JsonNode container : pod.path("spec").path(list)) {
                String who = (list.equals("containers") ? "container " : "init container ")
                        + container.path("name").asText();
                // Limits are no reason for requests any more: those were given when the Pod was decoded.
                Set<String> limited = put((ObjectNode) container, "limits", limits);
                note(notes, put((ObjectNode) container, "requests", requests), " request for " + who);
                note(notes, limited, " limit for " + who);
            }
        }
        if (!notes.isEmpty()) {
            pod.withObject("/metadata")
                    .withObject("/annotations")
                    .put(ANNOTATION, "LimitRanger plugin set: " + String.join("; ", notes));
        }
    }

    private static void note(List<String> notes, Set<String> names, String what) {
        if (!names.isEmpty()) {
            notes.add(String.join(", ", names) + what);
        }
    }

    private static Set<String> put(ObjectNode container, String field, Amounts amounts) {
        Set<String> added = new TreeSet<>();
        amounts.byName().forEach((name, quantity) -> {
            if (!container.path("resources").path(field).has(name)) {
                container.withObject("/resources").withObject("/" + field).put(name, quantity.canonical());
                added.add(name);
            }
        });
        return added;
    }

    private static void pod(Set<String> wrong, JsonNode limit, ObjectNode pod) {
        String type = limit.path("type").asText();
        if (type.equals("Container")) {
            for (String list : List.of("containers", "initContainers")) {
                for (JsonNode container : pod.path("spec").path(list)) {
                    JsonNode resources = container.path("resources");
                    new Asked(
                                    wrong,
                                    limit,
                                    Amounts.of(resources.path("requests")),
                                    Amounts.of(resources.path("limits")))
                            .check();
                }
            }
        } else if (type.equals("Pod")) {
            new Asked(wrong, limit, Usage.pod(pod, "requests"), Usage.pod(pod, "limits")).check();
        }
    }

    private static void claim(Set<String> wrong, JsonNode limit, ObjectNode claim) {
        if (limit.path("type").asText().equals("PersistentVolumeClaim")) {
            new Asked(wrong, limit, Amounts.of(claim.at("/spec/resources/requests")), new Amounts()).checkClaim();
        }
    }

    /** What is asked for, held to one limit. One thread. */
    private record Asked(Set<String> wrong, JsonNode limit, Amounts requests, Amounts limits) {

        void check() {
            each("min", this::atLeast);
            each("max", this::atMost);
            each("maxLimitRequestRatio", this::ratio);
        }

        void checkClaim() {
            each("min", this::atLeast);
            each("max", (name, most) -> hold("maximum", name, most, "request", "limit"));
        }

        private void each(String bound, BiConsumer<String, Quantity> check) {
            Amounts.of(limit.path(bound)).byName().forEach(check);
        }

        private void atLeast(String name, Quantity least) {
            hold("minimum", name, least, "request", "limit");
        }

        private void atMost(String name, Quantity most) {
            hold("maximum", name, most, "limit", "request");
        }

        /** The first must be there, and neither may break the bound. */
        private void hold(String bound, String name, Quantity set, String first, String second) {
            if (asked(first, name) == null) {
                wrong.add(usage(bound, name, set) + ". No " + first + " is specified");
            } else if (!refused(bound, name, set, first)) {
                refused(bound, name, set, second);
            }
        }

        private boolean refused(String bound, String name, Quantity set, String side) {
            Quantity asked = asked(side, name);
            return asked != null
                    && (bound.equals("minimum") ? isMore(set, asked) : isMore(asked, set))
                    && wrong.add(usage(bound, name, set) + ", but " + side + " is " + asked.canonical());
        }

        private @Nullable Quantity asked(String side, String name) {
            return (side.equals("request") ? requests : limits).get(name);
        }

        private void ratio(String name, Quantity ratio) {
            String words = name + " max limit to request ratio per "
                    + limit.path("type").asText() + " is " + ratio.canonical() + ", but ";
            if (requests.of(name).signum() == 0) {
                wrong.add(words + "no request is specified or request is 0");
            } else if (limits.of(name).signum() == 0) {
                wrong.add(words + "no limit is specified or limit is 0");
            } else {
                double found = limits.of(name).doubleValue() / requests.of(name).doubleValue();
                if (found > ratio.value().doubleValue()) {
                    wrong.add(words + "provided ratio is " + String.format(Locale.ROOT, "%f", found));
                }
            }
        }

        private String usage(String bound, String name, Quantity quantity) {
            return bound + " " + name + " usage per " + limit.path("type").asText() + " is " + quantity.canonical();
        }

        private static boolean isMore(Quantity one, Quantity other) {
            return one.value().compareTo(other.value()) > 0;
        }
    }
}
