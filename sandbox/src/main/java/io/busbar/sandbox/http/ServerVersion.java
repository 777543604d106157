package io.busbar.sandbox.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What {@code /version} tells. Immutable. */
record ServerVersion(String gitVersion) {

    ObjectNode node() {
        List<String> parts = List.of(gitVersion.substring(1).split("[.+-]", -1));
        return JsonNodeFactory.instance
                .objectNode()
                .put("major", parts.get(0))
                .put("minor", parts.size() > 1 ? parts.get(1) : "0")
                .put("gitVersion", gitVersion)
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "")
                .put("compiler", "javac")
                .put("platform", "java/" + Runtime.version().feature());
    }
}
