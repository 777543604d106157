package io.busbar.operator.mysqlcluster.backup;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Names of Jobs: short enough to be labels of their Pods. Pure; any thread. */
final class JobNames {

    private static final int LONGEST = 63;
    private static final int HASH = 8;

    private JobNames() {}

    /**
     * @param object that the Job is for
     * @param purpose what it does, in a word
     */
    static String of(String object, String purpose) {
        String name = object + "-" + purpose;
        if (name.length() <= LONGEST) {
            return name;
        }
        String hash = UUID.nameUUIDFromBytes(object.getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, HASH);
        return object.substring(0, LONGEST - purpose.length() - HASH - 2) + "-" + hash + "-" + purpose;
    }
}
