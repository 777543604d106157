package io.busbar.reconciler;

import io.busbar.common.ResourceType;
import io.busbar.common.configuration.ConfigurationProblem;
import io.busbar.common.watch.Index;
import io.busbar.common.watch.WatchRequest;
import io.busbar.common.watch.WatchSpec;
import io.busbar.reconciler.source.EventSource;
import io.busbar.reconciler.source.MessageSource;
import io.busbar.reconciler.source.PollingSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds what is wrong with a controller before it runs. For one thread. */
final class Declaration {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,126}[a-z0-9])?");
    private static final Pattern QUALIFIED =
            Pattern.compile("(?=[^/]{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
                    + "/[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?");

    private final Controller<?> controller;
    private final List<Controller.Secondary> secondaries;
    private final List<ConfigurationProblem> problems = new ArrayList<>();

    Declaration(Controller<?> controller, List<Controller.Secondary> secondaries) {
        this.controller = controller;
        this.secondaries = secondaries;
    }

    static List<ConfigurationProblem> problems(Collection<? extends Controller<?>> all) {
        List<ConfigurationProblem> problems = new ArrayList<>();
        Map<String, Controller<?>> named = new LinkedHashMap<>();
        for (Controller<?> controller : all) {
            problems.addAll(controller.problems());
            Controller<?> other = named.putIfAbsent(controller.name(), controller);
            if (other != null) {
                problems.add(new ConfigurationProblem(
                        "controllers of " + kind(other) + " and of " + kind(controller),
                        controller.name(),
                        "a name for each; call named(…) on one of them"));
            }
        }
        return problems;
    }

    List<ConfigurationProblem> problems() {
        values();
        owned();
        indexes();
        sources();
        return List.copyOf(problems);
    }

    private void values() {
        if (!NAME.matcher(controller.name()).matches()) {
            problem(
                    "named",
                    controller.name(),
                    "1 to 128 lower-case letters, digits, '-' and '.', a letter or a digit first and last");
        }
        if (controller.workers() < 1) {
            problem("workers", controller.workers(), "1 or more");
        }
        positive("timeout", controller.timeout());
        controller.resync().ifPresent(interval -> positive("resync", interval));
        controller
                .finalizer()
                .filter(name -> !QUALIFIED.matcher(name).matches())
                .ifPresent(
                        name -> problem("finalizer", name, "a name with a domain, such as " + domain() + "/cleanup"));
    }

    private void positive(String what, Duration value) {
        if (value.isZero() || value.isNegative()) {
            problem(what, value, "more than PT0S");
        }
    }

    private String domain() {
        String group = ResourceType.of(controller.type()).group();
        return group.isEmpty() ? "example.com" : group;
    }

    /** An owned object must be within reach of its owner, and found by the watch that reads are of. */
    private void owned() {
        WatchSpec<?> primaries = controller.watchRequests().get(0).spec();
        ResourceType owner = primaries.resource();
        Map<List<?>, WatchSpec<?>> first = new LinkedHashMap<>(Map.of(List.of(primaries.type(), ""), primaries));
        for (Controller.Secondary secondary : secondaries) {
            WatchSpec<?> spec = secondary.request().get().spec();
            WatchSpec<?> read = first.putIfAbsent(List.of(spec.type(), spec.cluster()), spec);
            if (!secondary.owned()) {
                continue;
            }
            String call = "owns(" + spec.resource().kind() + ")";
            if (owner.namespaced() && !spec.resource().namespaced()) {
                problem(
                        call,
                        spec.resource(),
                        "kinds in a namespace, as " + owner
                                + " are; an owner in a namespace cannot own a cluster-scoped object: use watches(…)"
                                + " with a mapping, and delete it in cleanup(…)");
            }
            if (!spec.cluster().isEmpty()) {
                problem(
                        call,
                        spec.cluster(),
                        "the cluster of the primaries, which is not named; an owner cannot own an object in another"
                                + " cluster: use watches(…) with a mapping, and delete it in cleanup(…)");
            }
            if (read != null
                    && !read.inCluster("").keeping().equals(spec.inCluster("").keeping())) {
                problem(
                        call,
                        spec.resource(),
                        "one watch that reads are of; another one of this kind was declared before: call owns(…) first,"
                                + " or with the same WatchSpec");
            }
        }
    }

    /** Two functions under one name: readers would get what the first files. */
    private void indexes() {
        Map<String, Index<?>> declared = new LinkedHashMap<>();
        for (WatchRequest<?> request : controller.watchRequests()) {
            for (Index<?> index : request.indexes()) {
                String kind = request.spec().resource().kind();
                Index<?> other = declared.putIfAbsent(kind + "/" + index.name(), index);
                if (other != null && !other.filesAs(index)) {
                    problem("index of " + kind, index.name(), "one function for each name; name one of them otherwise");
                }
            }
        }
    }

    private void sources() {
        Set<String> names = new HashSet<>();
        for (EventSource<?> source : controller.sources()) {
            if (source.name().isBlank()) {
                problem("source", source.name(), "a name; it stands in logs");
            } else if (!names.add(source.name())) {
                problem("source", source.name(), "a name of its own for each source");
            }
            if (source instanceof MessageSource messages && messages.http() && !inUrls(messages.address())) {
                problem("overHttp of source", source.name(), "an address of letters, digits, '-', '_' and '.'");
            }
            if (source instanceof PollingSource<?, ?, ?> polling) {
                positive("interval of source " + source.name(), polling.interval());
                if (polling.atOnce() < 1) {
                    problem("atOnce of source " + source.name(), polling.atOnce(), "1 or more");
                }
            }
        }
    }

    private static boolean inUrls(String address) {
        return address.matches("[-_.A-Za-z0-9]*[A-Za-z0-9][-_.A-Za-z0-9]*");
    }

    private void problem(String what, Object value, String allowed) {
        problems.add(
                new ConfigurationProblem("controller " + controller.name() + ": " + what, value.toString(), allowed));
    }

    private static String kind(Controller<?> controller) {
        return ResourceType.of(controller.type()).kind();
    }
}
