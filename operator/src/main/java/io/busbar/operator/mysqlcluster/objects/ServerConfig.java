package io.busbar.operator.mysqlcluster.objects;

import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.TlsMode;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The option files of the servers: one that all have in common, one for each member. Pure; any thread. */
public final class ServerConfig {

    private static final String COMMON = Texts.read("my.cnf");
    private static final String SEMI_SYNC = Texts.read("semi-sync.cnf");
    private static final String MYSQL = Texts.read("mysql.cnf");
    private static final String MYSQL_SEMI_SYNC = Texts.read("mysql-semi-sync.cnf");

    /**
     * Releases of MySQL: only by its release is a section read by MySQL and not by MariaDB, which has no such numbers.
     */
    private static final List<String> MYSQL_RELEASES = Stream.concat(
                    IntStream.rangeClosed(0, 4).mapToObj(minor -> "8." + minor),
                    IntStream.rangeClosed(0, 9).mapToObj(minor -> "9." + minor))
            .toList();

    private static final String TLS = Texts.read("tls.cnf");

    private static final String ADMINISTRATION = Texts.read("administration.cnf");

    private static final String ALONE = Texts.read("alone.cnf");

    private static final String SIMPLE = "[mysqld]\nskip_name_resolve=ON\n";

    /** Lowest server_id. */
    private static final int FIRST_ID = 100;

    /**
     * What replication and the Pods rest on, and what has servers leave out some of the writes. With plugin_load a server
     * forgets what plugin_load_add has said before.
     */
    private static final Pattern RESERVED =
            Pattern.compile("server_id|(super_)?read_only|log_bin|binlog_format|log_(slave|replica)_updates|gtid_.*"
                    + "|enforce_gtid_consistency|skip_name_resolve|datadir|port|bind_address|rpl_semi_sync_.*"
                    + "|skip_networking|skip_grant_tables|skip_(slave|replica)_start|replicate_.*"
                    + "|binlog_(do|ignore)_db|(slave|replica)_(skip_errors|exec_mode)"
                    + "|require_secure_transport|plugin_load");

    /** What the operator says where it gives the servers their certificates. */
    private static final Pattern RESERVED_WITH_TLS =
            Pattern.compile("ssl|ssl_(ca|capath|cert|key|crl|crlpath)|have_ssl");

    /** Who says one of these opens ports of their own, with certificates of their own. */
    private static final Pattern OF_ADMINISTRATION = Pattern.compile("extra_port|admin_.*");

    /** That servers take before the name of any option, and more than once. */
    private static final Pattern MODIFIER = Pattern.compile("^(loose|skip|disable|enable|maximum)_");

    private ServerConfig() {}

    /** Whether an option is not for users to choose, however it is spelt. */
    public static boolean isReserved(String option) {
        return matches(RESERVED, option);
    }

    /** Whether it is not for users to choose where {@code spec.tls.mode} is not Disabled. */
    public static boolean isReservedWithTls(String option) {
        return matches(RESERVED_WITH_TLS, option);
    }

    /** Whether the servers can be asked to open a port for administration: nobody has said where, or uses it. */
    static boolean mayOpenAdministration(MySQLClusterSpec spec) {
        return spec.mode() == Mode.Replicated
                && spec.podTemplate().containers().stream()
                        .flatMap(sidecar -> sidecar.getPorts().stream())
                        .noneMatch(port -> Objects.equals(port.getContainerPort(), Endpoint.ADMINISTRATION_PORT))
                && spec.config().keySet().stream().noneMatch(option -> matches(OF_ADMINISTRATION, option));
    }

    private static boolean matches(Pattern reserved, String option) {
        String plain = option.toLowerCase(Locale.ROOT).replace('-', '_');
        Matcher modifier = MODIFIER.matcher(plain);
        return reserved.matcher(plain).matches()
                || (modifier.find() && matches(reserved, plain.substring(modifier.end())));
    }

    /** @param administered whether the servers open a port for administration */
    static String common(MySQLClusterSpec spec, boolean administered) {
        StringBuilder text = new StringBuilder();
        if (spec.mode() == Mode.Simple) {
            text.append(SIMPLE);
        } else {
            boolean semiSync = spec.replication().semiSync();
            text.append(COMMON).append(semiSync ? SEMI_SYNC : "").append(administered ? ADMINISTRATION : "");
            for (String release : MYSQL_RELEASES) {
                text.append("\n[mysqld-")
                        .append(release)
                        .append("]\n")
                        .append(MYSQL)
                        .append(semiSync ? MYSQL_SEMI_SYNC : "");
            }
        }
        if (spec.mode() == Mode.Replicated && spec.tls().encrypts()) {
            text.append(TLS).append(spec.tls().mode() == TlsMode.Required ? "require_secure_transport=ON\n" : "");
        }
        if (!spec.config().isEmpty()) {
            text.append("\n[mysqld]\n");
        }
        return text.append(chosen(spec)).toString();
    }

    /** Of a server that nobody but its own container can reach, and whose data is thrown away. */
    public static String alone(MySQLClusterSpec spec) {
        return "[mysqld]\n" + chosen(spec) + ALONE;
    }

    private static String chosen(MySQLClusterSpec spec) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(spec.config())
                .forEach((option, value) ->
                        text.append(option).append('=').append(text(value)).append('\n'));
        return text.toString();
    }

    /**
     * @param administrationHost where MySQL opens a port for administration, which must be one address; empty for
     *     none. A server that does not know the option goes on without.
     */
    static String member(int ordinal, Optional<String> administrationHost) {
        return "[mysqld]\nserver_id=" + (FIRST_ID + ordinal) + "\n"
                + administrationHost
                        .map(host -> "loose_admin_address=" + host + "\n")
                        .orElse("");
    }

    /** Whether a member may have it. */
    public static boolean isOfMembers(long serverId) {
        return serverId >= FIRST_ID && serverId < FIRST_ID + ClusterObjects.MOST_MEMBERS;
    }

    private static String text(IntOrString value) {
        return value.getStrVal() == null ? String.valueOf(value.getIntVal()) : value.getStrVal();
    }
}
