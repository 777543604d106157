package io.busbar.sandbox.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.common.ResourceType;
import io.busbar.sandbox.kinds.service.ServiceAddresses;
import io.busbar.sandbox.resource.KindRules;
import io.busbar.sandbox.status.FieldCause;
import io.busbar.sandbox.storage.MemoryStore;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of kinds in a cluster in which there is nothing. */
public final class Rooms {

    public static final BuiltInKinds KINDS = BuiltInKinds.of(ServiceAddresses.of(new MemoryStore(16, Runnable::run)));

    private Rooms() {}

    public static ObjectNode decode(String group, String kind, ObjectNode object) {
        return rules(group, kind).decode(object);
    }

    /** What is wrong, each as a field and what is said of it. */
    public static List<String> complaints(
            String group, String kind, ObjectNode object, @Nullable ObjectNode before, String subresource) {
        return texts(rules(group, kind).validate(object, before, subresource));
    }

    public static List<String> texts(List<FieldCause> causes) {
        return causes.stream().map(c -> c.field() + ": " + c.message()).toList();
    }

    private static KindRules rules(String group, String kind) {
        String version = group.equals("autoscaling") ? "v2" : "v1";
        ResourceType type = new ResourceType(group, version, kind, kind.toLowerCase(Locale.ROOT) + "s", true);
        return KINDS.rules(type, true, Set.of());
    }
}
