package io.busbar.operator.mysqlcluster.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerConfigTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server_id",
                "server-id",
                "SERVER_ID",
                "loose_server_id",
                "loose-server-id",
                "read_only",
                "super-read-only",
                "log_bin",
                "skip-log-bin",
                "skip_log_bin",
                "disable_log_bin",
                "log-slave-updates",
                "log_replica_updates",
                "skip_log_replica_updates",
                "gtid_mode",
                "gtid-strict-mode",
                "enforce-gtid-consistency",
                "binlog_format",
                "skip_name_resolve",
                "datadir",
                "port",
                "bind-address",
                "rpl_semi_sync_master_enabled",
                "loose-rpl-semi-sync-source-enabled",
                "loose-loose-port",
                "skip-networking",
                "skip_grant_tables",
                "skip-slave-start",
                "skip_replica_start",
                "replicate-do-db",
                "replicate_wild_ignore_table",
                "binlog-ignore-db",
                "binlog_do_db",
                "slave-skip-errors",
                "replica_skip_errors",
                "slave_exec_mode",
                "maximum_read_only",
                "maximum-read-only",
                "enable-skip-networking",
                "skip-read-only",
                "disable-read-only",
                "require-secure-transport",
                "plugin-load",
                "loose_plugin_load",
            })
    void what_replication_rests_on_is_reserved_in_every_spelling(String option) {
        assertThat(ServerConfig.isReserved(option)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max_connections",
                "innodb-buffer-pool-size",
                "report_port",
                "transaction_read_only",
                "log_bin_trust_function_creators",
                "sync_binlog",
                "loose-audit-log",
                "plugin_load_add",
            })
    void all_else_is_for_users(String option) {
        assertThat(ServerConfig.isReserved(option)).isFalse();
    }

    @Test
    void what_users_say_comes_last_and_in_order() {
        String text = common("config: {wait_timeout: 60, max_connections: 500, sql_mode: \"ANSI,TRADITIONAL\"}\n");

        assertThat(text)
                .endsWith("\n[mysqld]\nmax_connections=500\nsql_mode=ANSI,TRADITIONAL\nwait_timeout=60\n")
                .contains(
                        "\nread_only=ON\n",
                        "\ngtid_strict_mode=ON\n",
                        "\nenforce_gtid_consistency=ON\n",
                        "\nreplicate_same_server_id=ON\n");
    }

    @Test
    void semi_sync_is_there_only_when_it_is_asked_for() {
        assertThat(common("size: 3\n")).doesNotContain("semi_sync");
        assertThat(common("replication: {semiSync: true}\n")).contains("rpl_semi_sync_slave_enabled=ON");
        assertThat(common("mode: Simple\nreplication: {semiSync: true}\n")).doesNotContain("semi_sync", "read_only");
    }

    @Test
    void certificates_are_there_only_when_they_are_asked_for() {
        String plain = common("size: 3\n");

        assertThat(common("tls: {mode: Disabled}\n")).isEqualTo(plain).doesNotContain("ssl");
        assertThat(common("mode: Simple\n")).doesNotContain("ssl");
        assertThat(common("tls: {mode: Preferred}\n"))
                .startsWith(plain)
                .contains("ssl_key=/etc/mysql/tls/tls.key\n")
                .doesNotContain("require");
        assertThat(common("tls: {mode: Required}\nconfig: {max_connections: 5}\n"))
                .endsWith("\nrequire_secure_transport=ON\n\n[mysqld]\nmax_connections=5\n");
        assertThat(List.of("ssl_cert", "loose-ssl-key", "skip_ssl")).allMatch(ServerConfig::isReservedWithTls);
        assertThat(List.of("tls_version", "ssl_cipher")).noneMatch(ServerConfig::isReservedWithTls);
    }

    @Test
    void each_member_has_a_number_of_its_own() {
        assertThat(ServerConfig.member(0, Optional.empty())).isEqualTo("[mysqld]\nserver_id=100\n");
        assertThat(ServerConfig.member(8, Optional.of("db-8")))
                .isEqualTo("[mysqld]\nserver_id=108\nloose_admin_address=db-8\n");
    }

    private static String common(String spec) {
        return ServerConfig.common(TestClusters.cluster(spec).wanted(), false);
    }
}
