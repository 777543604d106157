package io.busbar.runtime.flags;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What the flags of a command are, given or by default, for people. */
public final class FlagValues {

    private static final String ACCOUNT_IN_URL = "://[^/@]*@";

    private FlagValues() {}

    /**
     * By their names without dashes, as they are written on a command line; empty text for those that are not set.
     * Accounts in URLs are left out.
     *
     * @param command that has been parsed
     */
    public static Map<String, String> of(CommandSpec command) {
        Map<String, String> values = new TreeMap<>();
        for (OptionSpec flag : command.options()) {
            if (!flag.usageHelp() && !flag.versionHelp()) {
                values.put(
                        flag.longestName().replaceFirst("^-+", ""),
                        value(flag).replaceAll(ACCOUNT_IN_URL, "://[REDACTED]@"));
            }
        }
        return values;
    }

    private static String value(OptionSpec flag) {
        Object value = flag.getValue();
        if (value instanceof Boolean on) {
            return on.toString();
        }
        boolean isEmpty = (value instanceof Collection<?> all && all.isEmpty())
                || (value instanceof Map<?, ?> pairs && pairs.isEmpty());
        if (isEmpty) {
            return "";
        }
        List<String> given = flag.stringValues();
        return given.isEmpty() ? text(flag.defaultValueString(true)) : String.join(",", given);
    }

    /** Of a flag that has no default picocli says {@code null} in letters. */
    private static String text(@Nullable String byDefault) {
        return byDefault == null || byDefault.equals("null") ? "" : byDefault;
    }
}
