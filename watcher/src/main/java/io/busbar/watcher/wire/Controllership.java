package io.busbar.watcher.wire;

import io.busbar.common.internal.json.JsonScanner;

/** Reads from JSON who controls an object. Any thread. */
public final class Controllership {

    private Controllership() {}

    /**
     * The uid of the owner that controls an object.
     *
     * @param object in JSON
     * @return empty where nobody does
     * @throws io.busbar.common.internal.json.MalformedJsonException when it is not JSON as far as it has to be read
     */
    public static String controllerUid(byte[] object) {
        JsonScanner scanner = new JsonScanner(object);
        return find(scanner, "metadata") && find(scanner, "ownerReferences") ? controllerUid(scanner) : "";
    }

    /** Enters an object, up to the value of a member, if it has that. */
    private static boolean find(JsonScanner scanner, String member) {
        if (scanner.peek() != '{') {
            return false;
        }
        boolean more = scanner.firstMember();
        while (more && !scanner.nameIs(member)) {
            scanner.skip();
            more = scanner.nextMember();
        }
        return more;
    }

    /** The same of owner references, which are next; they are consumed. */
    static String controllerUid(JsonScanner references) {
        String controller = "";
        if (references.peek() != '[') {
            references.skip();
            return controller;
        }
        for (boolean more = references.firstElement(); more; more = references.nextElement()) {
            String uid = uidOfController(references);
            controller = controller.isEmpty() ? uid : controller;
        }
        return controller;
    }

    private static String uidOfController(JsonScanner reference) {
        if (reference.peek() != '{') {
            reference.skip();
            return "";
        }
        String uid = "";
        boolean controls = false;
        for (boolean more = reference.firstMember(); more; more = reference.nextMember()) {
            if (reference.nameIs("uid") && reference.peek() == '"') {
                uid = reference.string();
            } else if (reference.nameIs("controller")) {
                controls = reference.literal().equals("true");
            } else {
                reference.skip();
            }
        }
        return controls ? uid : "";
    }
}
