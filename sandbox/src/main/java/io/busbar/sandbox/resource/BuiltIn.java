package io.busbar.sandbox.resource;

import io.busbar.common.ResourceType;
import io.busbar.sandbox.storage.GroupResource;
import io.busbar.sandbox.syntax.TextFile;
import java.util.List;
import java.util.Set;

/**
 * The kinds that are served from the start, read from {@code builtin.txt}.
 *
 * <p>Any thread.
 */
public final class BuiltIn {

    private static final GroupResource EVENTS = GroupResource.core("events");
    private static final List<String> ALL =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    /** Knows what is a kind's own. */
    public interface Rooms {

        /**
         * @param hasStatus whether the kind has a status subresource
         * @param traits such as {@code generation}: {@code builtin.txt} tells what they mean
         */
        KindRules rules(ResourceType type, boolean hasStatus, Set<String> traits);

        /** Between this version and the stored one. */
        Conversion conversion(ResourceType type);
    }

    private BuiltIn() {}

    /** All that a release has, with what their rooms know of each. */
    public static List<Resource> resources(Rooms rooms, Release release) {
        return TextFile.lines(BuiltIn.class, "builtin.txt").stream()
                .map(line -> List.of(line.strip().split("\\s+", -1)))
                .filter(columns -> columns.size() < 11 || release.since(Integer.parseInt(columns.get(10))))
                .map(columns -> parse(columns, rooms))
                .toList();
    }

    private static Resource parse(List<String> columns, Rooms rooms) {
        ResourceType type = new ResourceType(
                columns.get(0).equals("-") ? "" : columns.get(0),
                columns.get(1),
                columns.get(2),
                columns.get(3),
                columns.get(4).equals("ns"));
        boolean laterEvents = type.group().equals("events.k8s.io");
        return new Resource(
                type,
                laterEvents ? EVENTS : new GroupResource(type.group(), type.plural()),
                "",
                type.kind() + "List",
                list(columns.get(5)),
                list(columns.get(6)),
                Set.copyOf(list(columns.get(7))),
                columns.get(8).equals("all") ? ALL : list(columns.get(8)),
                rooms.conversion(type),
                rooms.rules(type, columns.get(7).contains("status"), Set.copyOf(list(columns.get(9)))),
                null);
    }

    private static List<String> list(String column) {
        return column.equals("-") ? List.of() : List.of(column.split(",", -1));
    }
}
