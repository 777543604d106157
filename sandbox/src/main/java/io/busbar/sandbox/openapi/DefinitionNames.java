package io.busbar.sandbox.openapi;

import io.busbar.sandbox.resource.Resource;
import io.busbar.sandbox.wire.WireMessages;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What the definitions of an OpenAPI document are called, as in a real server's. Any thread. */
final class DefinitionNames {

    static final String OBJECT_META = "meta.v1.ObjectMeta";

    private DefinitionNames() {}

    /** Of a message, such as {@code core.v1.Pod}. */
    static String of(String message) {
        if (message.startsWith("meta.")) {
            return "io.k8s.apimachinery.pkg.apis." + message;
        }
        return (message.startsWith("apiextensions.") ? "io.k8s.apiextensions-apiserver.pkg.apis." : "io.k8s.api.")
                + message;
    }

    static String of(Resource resource) {
        if (resource.custom() == null) {
            return of(message(resource));
        }
        List<String> group = new ArrayList<>(List.of(resource.type().group().split("\\.", -1)));
        Collections.reverse(group);
        return String.join(".", group) + "." + resource.type().version() + "."
                + resource.type().kind();
    }

    static String message(Resource resource) {
        return WireMessages.nameOf(
                resource.type().group(),
                resource.type().version(),
                resource.type().kind());
    }
}
