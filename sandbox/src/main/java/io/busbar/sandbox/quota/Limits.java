package io.busbar.sandbox.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.admission.AdmissionAttributes;
import io.busbar.sandbox.admission.Plugin;
import io.busbar.sandbox.status.StatusException;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.storage.MemoryStore;
import io.busbar.sandbox.storage.Metadata;
import io.busbar.sandbox.syntax.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
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
                    check(wrong, limit, Amounts.of(resources.path("requests")), Amounts.of(resources.path("limits")));
                }
            }
        } else if (type.equals("Pod")) {
            check(wrong, limit, Usage.pod(pod, "requests"), Usage.pod(pod, "limits"));
        }
    }

    private static void claim(Set<String> wrong, JsonNode limit, ObjectNode claim) {
        if (limit.path("type").asText().equals("PersistentVolumeClaim")) {
            Amounts requests = Amounts.of(claim.at("/spec/resources/requests"));
            Amounts.of(limit.path("min"))
                    .byName()
                    .forEach((name, least) -> atLeast(wrong, limit, name, least, requests.get(name), null));
            Amounts.of(limit.path("max")).byName().forEach((name, most) -> {
                Quantity request = requests.get(name);
                if (request == null) {
                    wrong.add(usage("maximum", limit, name, most) + ". No request is specified");
                } else if (request.value().compareTo(most.value()) > 0) {
                    wrong.add(usage("maximum", limit, name, most) + ", but request is " + request.canonical());
                }
            });
        }
    }

    private static void check(Set<String> wrong, JsonNode limit, Amounts requests, Amounts limits) {
        Amounts.of(limit.path("min"))
                .byName()
                .forEach((name, least) -> atLeast(wrong, limit, name, least, requests.get(name), limits.get(name)));
        Amounts.of(limit.path("max"))
                .byName()
                .forEach((name, most) -> atMost(wrong, limit, name, most, requests.get(name), limits.get(name)));
        Amounts.of(limit.path("maxLimitRequestRatio"))
                .byName()
                .forEach((name, ratio) -> ratio(wrong, limit, name, ratio, requests.get(name), limits.get(name)));
    }

    private static void atLeast(
            Set<String> wrong,
            JsonNode limit,
            String name,
            Quantity least,
            @Nullable Quantity request,
            @Nullable Quantity most) {
        String usage = usage("minimum", limit, name, least);
        if (request == null) {
            wrong.add(usage + ". No request is specified");
        } else if (request.value().compareTo(least.value()) < 0) {
            wrong.add(usage + ", but request is " + request.canonical());
        } else if (most != null && most.value().compareTo(least.value()) < 0) {
            wrong.add(usage + ", but limit is " + most.canonical());
        }
    }

    private static void atMost(
            Set<String> wrong,
            JsonNode limit,
            String name,
            Quantity most,
            @Nullable Quantity request,
            @Nullable Quantity limited) {
        String usage = usage("maximum", limit, name, most);
        if (limited == null) {
            wrong.add(usage + ". No limit is specified");
        } else if (limited.value().compareTo(most.value()) > 0) {
            wrong.add(usage + ", but limit is " + limited.canonical());
        } else if (request != null && request.value().compareTo(most.value()) > 0) {
            wrong.add(usage + ", but request is " + request.canonical());
        }
    }

    private static void ratio(
            Set<String> wrong,
            JsonNode limit,
            String name,
            Quantity ratio,
            @Nullable Quantity request,
            @Nullable Quantity limited) {
        String words = name + " max limit to request ratio per "
                + limit.path("type").asText() + " is " + ratio.canonical() + ", but ";
        if (request == null || request.value().signum() == 0) {
            wrong.add(words + "no request is specified or request is 0");
        } else if (limited == null || limited.value().signum() == 0) {
            wrong.add(words + "no limit is specified or limit is 0");
        } else {
            double found = limited.value().doubleValue() / request.value().doubleValue();
            if (found > ratio.value().doubleValue()) {
                wrong.add(words + "provided ratio is " + String.format(Locale.ROOT, "%f", found));
            }
        }
    }

    private static String usage(String bound, JsonNode limit, String name, Quantity quantity) {
        return bound + " " + name + " usage per " + limit.path("type").asText() + " is " + quantity.canonical();
    }
}
