package io.busbar.sandbox.kinds.event;

import io.busbar.sandbox.rules.Place;
import io.busbar.sandbox.rules.RulesFile;
import io.busbar.sandbox.syntax.GoText;
import io.busbar.sandbox.syntax.Names;
import java.util.List;
import java.util.Map;

/**
 * The rules of Events, in both groups. Messages name the fields as the core group does, and show no values.
 *
 * <p>Any thread.
 */
public final class EventRules {

    private static final String NOTHING = "\"\"";

    public static final RulesFile RULES = RulesFile.beside(
            EventRules.class,
            Map.of(
                    "involved", EventRules::involved,
                    "declared", EventRules::declared,
                    "series", EventRules::series,
                    "made", EventRules::made));

    private EventRules() {}

    /**
     * What an Event tells of stands beside it, or in no namespace at all; one of the newer kind may tell of any
     * namespace.
     */
    private static void involved(Place event) {
        Place involved = event.field(event.value().has("regarding") ? "regarding" : "involvedObject");
        String namespace = event.value().at("/metadata/namespace").asText();
        String of = involved.text("namespace");
        boolean newer = !event.field("eventTime").isBlank();
        boolean fits = of.isEmpty()
                ? namespace.equals("default") || (newer && namespace.equals("kube-system"))
                : newer || of.equals(namespace);
        if (!fits) {
            event.besides("involvedObject.namespace").invalid(GoText.quote(of), "does not match event.namespace");
        }
    }

    /** What an Event of the newer kind says of who sends it, and why. */
    private static void declared(Place event) {
        if (event.field("eventTime").isBlank()) {
            return;
        }
        Place controller = event.field(event.type().startsWith("core.") ? "reportingComponent" : "reportingController");
        String name = controller.value().asText();
        if (name.isEmpty()) {
            controller.required();
        }
        controller.invalid(GoText.quote(name), Names.qualifiedName(name));
        for (String field : List.of("reportingInstance", "action", "reason")) {
            Place told = event.besides(field);
            if (event.text(field).isEmpty()) {
                told.required();
            } else if (event.text(field).length() > 128) {
                told.invalid(NOTHING, "can have at most 128 characters");
            }
        }
        if (event.text("note").length() > 1024 || event.text("message").length() > 1024) {
            event.besides("message").invalid(NOTHING, "can have at most 1024 characters");
        }
    }

    private static void series(Place event) {
        Place series = event.field("series");
        if (!series.value().isObject() || series.value().equals(series.before())) {
            return;
        }
        if (series.get("count").asInt() < 2) {
            series.field("count").invalid(NOTHING, "should be at least 2");
        }
        if (series.field("lastObservedTime").isBlank()) {
            series.field("lastObservedTime").required();
        }
    }

    /** What a new Event has to have, and what only Events of the core group have. */
    private static void made(Place event) {
        if (event.updates()) {
            return;
        }
        if (event.field("eventTime").isBlank()) {
            event.field("eventTime").required();
        }
        if (!List.of("Normal", "Warning").contains(event.text("type"))) {
            event.field("type").invalid(NOTHING, "has invalid value: " + event.text("type"));
        }
        for (String field : List.of("FirstTimestamp", "LastTimestamp", "Count", "Source")) {
            Place set = event.field("deprecated" + field);
            String told = Character.toLowerCase(field.charAt(0)) + field.substring(1);
            boolean unset = set.isBlank() || set.value().asText().equals("0");
            if (!unset && !(set.value().isObject() && set.value().isEmpty())) {
                set.besides(told).invalid(NOTHING, "needs to be unset");
            }
        }
    }
}
