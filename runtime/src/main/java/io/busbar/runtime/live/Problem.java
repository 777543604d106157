package io.busbar.runtime.live;

import io.busbar.common.ObjectKey;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * Something that somebody should look at.
 *
 * <p>Immutable.
 *
 * @param isSevere whether something stands still
 * @param what is wrong, in a sentence without its end
 * @param help what to do, in the same form
 * @param controller of the object; empty where it is about none
 * @param object its key; empty where it is about none
 * @param since when; empty where that has no meaning
 */
record Problem(boolean isSevere, String what, String help, String controller, String object, Optional<Instant> since) {

    static Problem severe(String what, String help) {
        return new Problem(true, what, help, "", "", Optional.empty());
    }

    static Problem notice(String what, String help) {
        return new Problem(false, what, help, "", "", Optional.empty());
    }

    Problem about(String newController, ObjectKey key) {
        return new Problem(isSevere, what, help, newController, key.toString(), since);
    }

    Problem since(Instant then) {
        return new Problem(isSevere, what, help, controller, object, Optional.of(then));
    }

    JsonObject json() {
        JsonObject json = new JsonObject()
                .put("severe", isSevere)
                .put("what", what)
                .put("help", help)
                .put("controller", controller)
                .put("object", object);
        since.ifPresent(then -> json.put("since", then.toEpochMilli()));
        return json;
    }
}
