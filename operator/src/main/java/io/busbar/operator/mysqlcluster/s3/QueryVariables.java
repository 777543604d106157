package io.busbar.operator.mysqlcluster.s3;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a statement in a binary log of MySQL depended on in its session. See {@code Query_event} of MySQL.
 *
 * <p>Immutable.
 *
 * @param settings variables of a session, and their values as SQL
 * @param charset by which the client {@code mysql} can read the statement
 * @param micros after the second in which it began
 */
record QueryVariables(Map<String, String> settings, String charset, int micros) {

    static final String DEFAULT_CHARSET = "utf8mb4";

    /** What a client sets when it is told a charset. */
    static final Set<String> OF_CHARSET = Set.of("character_set_client", "collation_connection");

    /**
     * Those that cannot be read as the default, by the numbers of their collations: a letter may have a backslash or a
     * quote as its second byte.
     */
    private static final Map<Integer, String> CHARSETS = Map.ofEntries(
            Map.entry(1, "big5"),
            Map.entry(84, "big5"),
            Map.entry(13, "sjis"),
            Map.entry(88, "sjis"),
            Map.entry(28, "gbk"),
            Map.entry(87, "gbk"),
            Map.entry(95, "cp932"),
            Map.entry(96, "cp932"),
            Map.entry(248, "gb18030"),
            Map.entry(249, "gb18030"),
            Map.entry(250, "gb18030"));

    private static final int AUTO_IS_NULL = 0x4000;
    private static final int NOT_AUTOCOMMIT = 0x80000;
    private static final int NO_FOREIGN_KEY_CHECKS = 0x4000000;
    private static final int RELAXED_UNIQUE_CHECKS = 0x8000000;

    /** In place of a number of databases: too many to name them. */
    private static final int TOO_MANY_DATABASES = 254;

    QueryVariables {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** @param from all of them, each after its number; what comes after one that is not known is not read */
    static QueryVariables read(ByteBuffer from) {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "auto_increment_increment", "1",
                "auto_increment_offset", "1",
                "lc_time_names", "0",
                "collation_database", "DEFAULT"));
        String charset = DEFAULT_CHARSET;
        int micros = 0;
        boolean isKnown = true;
        while (isKnown && from.hasRemaining()) {
            switch (from.get()) {
                case 0 -> flags(from.getInt(), settings);
                case 1 -> settings.put("sql_mode", Long.toUnsignedString(from.getLong()));
                case 3 -> {
                    settings.put("auto_increment_increment", number(from));
                    settings.put("auto_increment_offset", number(from));
                }
                case 4 -> {
                    int client = Short.toUnsignedInt(from.getShort());
                    charset = CHARSETS.getOrDefault(client, DEFAULT_CHARSET);
                    settings.put("character_set_client", String.valueOf(client));
                    settings.put("collation_connection", number(from));
                    settings.put("collation_server", number(from));
                }
                case 5 -> settings.put("time_zone", "'" + text(from).replace("'", "''") + "'");
                case 6 -> text(from);
                case 7 -> settings.put("lc_time_names", number(from));
                case 8 -> settings.put("collation_database", number(from));
                case 9, 17 -> from.getLong();
                case 10 -> from.getInt();
                case 11 -> {
                    text(from);
                    text(from);
                }
                case 12 -> databases(from);
                case 13 -> micros = Short.toUnsignedInt(from.getShort()) | Byte.toUnsignedInt(from.get()) << 16;
                case 16 -> settings.put("explicit_defaults_for_timestamp", String.valueOf(from.get()));
                case 18 -> settings.put("default_collation_for_utf8mb4", number(from));
                case 19 -> settings.put("sql_require_primary_key", String.valueOf(from.get()));
                case 20 -> settings.put("default_table_encryption", String.valueOf(from.get()));
                default -> isKnown = false;
            }
        }
        return new QueryVariables(settings, charset, micros);
    }

    private static void flags(int flags, Map<String, String> settings) {
        settings.put("sql_auto_is_null", bit((flags & AUTO_IS_NULL) != 0));
        settings.put("autocommit", bit((flags & NOT_AUTOCOMMIT) == 0));
        settings.put("foreign_key_checks", bit((flags & NO_FOREIGN_KEY_CHECKS) == 0));
        settings.put("unique_checks", bit((flags & RELAXED_UNIQUE_CHECKS) == 0));
    }

    private static String bit(boolean isSet) {
        return isSet ? "1" : "0";
    }

    private static String number(ByteBuffer from) {
        return String.valueOf(Short.toUnsignedInt(from.getShort()));
    }

    private static String text(ByteBuffer from) {
        byte[] bytes = new byte[Byte.toUnsignedInt(from.get())];
        from.get(bytes);
        return new String(bytes, US_ASCII);
    }

    private static void databases(ByteBuffer from) {
        int count = Byte.toUnsignedInt(from.get());
        for (int left = count == TOO_MANY_DATABASES ? 0 : count; left > 0; ) {
            left -= from.get() == 0 ? 1 : 0;
        }
    }
}
