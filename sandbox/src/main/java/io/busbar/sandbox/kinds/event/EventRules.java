package io.busbar.sandbox.kinds.event;

import com.fasterxml.jackson.databind.JsonNode;
import io.busbar.sandbox.rules.BuiltInRules;
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
public final class EventRules extends BuiltInRules {

    private static final String NOTHING = "\"\"";

    /** By their names in events.k8s.io, with those in the core group. */
    private static final Map<String, String> FIXED = Map.of(
            "regarding", "involvedObject",
            "reason", "reason",
            "note", "message",
            "related", "related",
            "type", "type",
            "reportingController", "reportingController",
            "reportingInstance", "reportingInstance",
            "action", "action");

    public static final RulesFile RULES = RulesFile.beside(
            EventRules.class,
            Map.of(
                    "involved", EventRules::involved,
                    "declared", EventRules::declared,
                    "type", EventRules::type,
                    "unset", EventRules::unset,
                    "series", EventRules::series,
                    "fixed", EventRules::fixed));

    public EventRules(Facts facts) {
        super(facts);
    }

    /** What an Event tells of stands beside it, or in no namespace at all; one of the newer kind may tell of any namespace. */
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
        String controller =
                event.text(event.value().has("reportingComponent") ? "reportingComponent" : "reportingController");
        if (controller.isEmpty()) {
            event.besides("reportingController").required();
        }
        event.besides("reportingController").invalid(GoText.quote(controller), Names.qualifiedName(controller));
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

    private static void type(Place type) {
        if (!List.of("Normal", "Warning").contains(type.value().asText())) {
            type.invalid(NOTHING, "has invalid value: " + type.value().asText());
        }
    }

    private static void unset(Place field) {
        String name = field.path().replace("deprecated", "");
        if (!field.isBlank() && !field.value().asText().equals("0")) {
            field.besides(Character.toLowerCase(name.charAt(0)) + name.substring(1))
                    .invalid(NOTHING, "needs to be unset");
        }
    }

    private static void series(Place series) {
        if (series.get("count").asInt() < 2) {
            series.field("count").invalid(NOTHING, "should be at least 2");
        }
        if (series.field("lastObservedTime").isBlank()) {
            series.field("lastObservedTime").required();
        }
    }

    private static void fixed(Place event) {
        if (!event.updates()) {
            return;
        }
        FIXED.forEach((field, told) -> {
            JsonNode now = event.get(field);
            if (!now.equals(event.before().path(field))) {
                event.field(field).besides(told).invalid("field is immutable");
            }
        });
    }
}
