package io.busbar.blueprint.run;

/** Names of objects that are made of others. Any thread. */
public final class Names {

    private Names() {}

    /** A name with an ending, shortened where it would be too long: one that is shortened has a hash in it. */
    public static String fitting(String name, String ending, int longest) {
        int room = longest - ending.length();
        if (name.length() <= room) {
            return name + ending;
        }
        String hash = Integer.toHexString(name.hashCode());
        return name.substring(0, room - hash.length() - 1) + "-" + hash + ending;
    }
}
