package io.busbar.operator.mysqlcluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Verdict;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.TestClusters;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MySQLClusterValidatorTest {

    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

    private final MySQLClusterValidator validator = new MySQLClusterValidator(() -> NOW);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{size: 9, version: 8.0}",
                "{size: 2, replication: {semiSync: true, primaryOrdinal: 1}}",
                "{size: 3, image: 'reg/ours:1', replication: {semiSync: true, acknowledgements: 2}}",
                "{config: {max-connections: 5, sql_mode: 'ANSI,TRADITIONAL'}}",
                "{autoscaling: {enabled: true, minReplicas: 2, maxReplicas: 2, target: 1}, replication: {semiSync: true}}",
                "{autoscaling: {enabled: false, minReplicas: 5, maxReplicas: 2, target: 1}}",
                "{backup: {schedule: 0 3 * * *, timeZone: Europe/Berlin, storage: {pvc: {claimName: c}}}}",
                "{auth: {applicationSecretRef: {name: mine}, database: my_shop-2}}",
                "{auth: {rotation: {schedule: '0 3 1 * *', timeZone: Europe/Berlin, application: true}}}",
                "{tls: {mode: Required, issuerRef: {name: ours, kind: ClusterIssuer}}, config: {tls_version: TLSv1.3}}",
                "{config: {ssl_cert: /var/lib/mysql/own.pem}}",
                "{metrics: {exporter: {}}, podTemplate: {containers: [{name: x, image: 'e:1', ports: [{containerPort: 9}]}]}}",
                "{metrics: {exporter: {image: 'reg/exporter:1', port: 19104, args: ['--collect.heartbeat']}}}",
                "{podTemplate: {containers: [{name: exporter, image: 'e:1'}], volumes: [{name: scratch, emptyDir: {}}]}}",
            })
    void what_a_cluster_can_be_is_allowed(String spec) {
        assertThat(problems(spec)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{version: 'a b'} | spec.version: Invalid value: \"a b\": must be a version such as \"8.0\", in quotes",
                "{version: 0} | spec.version: Invalid value: \"0\": must be a version such as \"8.0\", in quotes",
                "{config: {server-id: 5}} | spec.config[server-id]: Forbidden: is for the operator to say, as replication rests on"
                        + " it",
                "{config: {'a b': 5}} | spec.config: Invalid value: \"a b\": must be the name of an option",
                "{config: {sql_mode: \"A\\n[mysqld]\"}} | spec.config[sql_mode]: Invalid value: \"…\": must be one line",
                "{tls: {issuerRef: {name: ours}}} | spec.tls.issuerRef: Invalid value: \"ours\": must be left out with"
                        + " spec.tls.mode Disabled: make that Preferred or Required",
                "{mode: Simple, tls: {mode: Preferred}} | spec.tls: Forbidden: is only for spec.mode Replicated",
                "{tls: {mode: Preferred}, config: {skip-ssl: 1}} | spec.config[skip-ssl]: Forbidden: is for the operator to say"
                        + " with spec.tls.mode Preferred",
                "{config: {require-secure-transport: 1}} | spec.config[require-secure-transport]: Forbidden: is for the operator to"
                        + " say, as replication rests on it",
                "{size: 1, replication: {semiSync: true}} | spec.size: Invalid value: \"1\": must be at least 2 with"
                        + " replication.semiSync: a write is acknowledged by a replica",
                "{size: 3, replication: {semiSync: true, acknowledgements: 3}} | spec.replication.acknowledgements: Invalid"
                        + " value: \"3\": must be less than the number of members, 3: only replicas acknowledge",
                "{size: 3, replication: {acknowledgements: 2}} | spec.replication.acknowledgements: Invalid value: \"2\":"
                        + " must be 1, or left out, without replication.semiSync: no write waits",
                "{size: 3, image: 'reg/mariadb:11.4', replication: {semiSync: true, acknowledgements: 2}} |"
                        + " spec.replication.acknowledgements: Invalid value: \"2\": must be 1, or left out, with"
                        + " reg/mariadb:11.4: MariaDB's servers can wait for one replica only, MySQL's for several",
                "{autoscaling: {enabled: true, minReplicas: 2, target: 1}, replication: {semiSync: true, acknowledgements: 2}} |"
                        + " spec.replication.acknowledgements: Invalid value: \"2\": must be less than the number of members,"
                        + " 2: only replicas acknowledge",
                "{podTemplate: {containers: [{name: exporter, image: 'e:1'}, {name: mysql, image: 'e:1'}]}} |"
                        + " spec.podTemplate.containers[1].name: Invalid value: \"mysql\": must not be mysql: that is the"
                        + " server's",
                "{podTemplate: {containers: [{name: Exporter, image: 'e:1'}]}} | spec.podTemplate.containers[0].name: Invalid"
                        + " value: \"Exporter\": must be 1 to 63 characters of a-z, 0-9 and -, with a letter or a digit at"
                        + " both ends",
                "{metrics: {exporter: {image: ' '}}} | spec.metrics.exporter.image: Required value: must be an image to run",
                "{metrics: {exporter: {port: 3306}}} | spec.metrics.exporter.port: Invalid value: \"3306\": must not be one of"
                        + " the server's: [3306, 33060, 33062]",
                "{metrics: {exporter: {}}, podTemplate: {containers: [{name: x, image: 'e:1', ports: [{containerPort:"
                        + " 9104}]}]}} | spec.metrics.exporter.port: Invalid value: \"9104\": must not be a port of x in"
                        + " spec.podTemplate.containers",
                "{metrics: {exporter: {}}, podTemplate: {containers: [{name: exporter, image: 'e:1'}]}} |"
                        + " spec.podTemplate.containers[0].name: Invalid value: \"exporter\": must not be exporter: that"
                        + " is the exporter's",
                "{mode: Simple, metrics: {exporter: {}}} | spec.metrics.exporter: Forbidden: is only for spec.mode"
                        + " Replicated",
                "{podTemplate: {containers: [{name: exporter}]}} | spec.podTemplate.containers[0].image: Required value: must"
                        + " be an image to run",
                "{podTemplate: {volumes: [{name: data, emptyDir: {}}]}} | spec.podTemplate.volumes[0].name: Invalid value:"
                        + " \"data\": must not be data: that is the server's",
                "{size: 3, replication: {primaryOrdinal: 3}} | spec.replication.primaryOrdinal: Invalid value: \"3\": must be"
                        + " less than the number of members, 3",
                "{autoscaling: {enabled: true, minReplicas: 5, maxReplicas: 4, target: 1}} |"
                        + " spec.autoscaling.minReplicas: Invalid value: \"5\": must not be more than maxReplicas, 4",
                "{autoscaling: {enabled: true, minReplicas: 1, target: 1}, replication: {semiSync: true}} |"
                        + " spec.autoscaling.minReplicas: Invalid value: \"1\": must be at least 2 with"
                        + " replication.semiSync: a write is acknowledged by a replica",
                "{mode: Simple, auth: {applicationSecretRef: {name: s}}} | spec.auth: Forbidden: is only for spec.mode"
                        + " Replicated",
                "{auth: {rotation: {timeZone: Here}}} | spec.auth.rotation.timeZone: Invalid value: \"Here\": must be a name"
                        + " of the IANA database, or left out for UTC",
                "{auth: {rotation: {schedule: monthly}}} | spec.auth.rotation.schedule: Invalid value: \"monthly\": must be"
                        + " five fields of cron, such as 0 3 * * *: Cron expression contains 1 parts but we expect one of [5]",
                "{auth: {applicationSecretRef: {name: s}, rotation: {application: true}}} | spec.auth.rotation.application:"
                        + " Invalid value: \"true\": must be false, or left out, with auth.applicationSecretRef: that Secret is"
                        + " yours to change",
                "{mode: Simple, auth: {rotation: {schedule: '0 3 1 * *'}}} | spec.auth.rotation: Forbidden: is only for"
                        + " spec.mode Replicated",
                "{bootstrapFrom: {}} | spec.bootstrapFrom: Invalid value: must say backupName, storedBackup or"
                        + " externalPrimary, and one of them only",
                "{bootstrapFrom: {backupName: b, externalPrimary: {host: h, credentialsSecretRef: {name: s}}}} |"
                        + " spec.bootstrapFrom: Invalid value: \"backupName, externalPrimary\": must say backupName,"
                        + " storedBackup or externalPrimary, and one of them only",
                "{bootstrapFrom: {storedBackup: {storage: {hostPath: /b}, file: b.sql.gz}}} |"
                        + " spec.bootstrapFrom.storedBackup.storage: Forbidden: must be s3: nothing beside a file in a volume"
                        + " tells what it was when it was made",
                "{bootstrapFrom: {storedBackup: {storage: {s3: {bucket: b..c, credentialsSecretRef: {name: s}}}, file: a/}}} |"
                        + " spec.bootstrapFrom.storedBackup.storage.s3.bucket: Invalid value: \"b..c\": must be 3 to 63 lower"
                        + " case letters, digits, hyphens and dots, with a letter or a digit at both ends and beside each dot,"
                        + " and no IP address",
                "{bootstrapFrom: {storedBackup: {storage: {s3: {bucket: bbb, credentialsSecretRef: {name: s}}}, file: a.gz}}} |"
                        + " spec.bootstrapFrom.storedBackup.file: Invalid value: \"a.gz\": must be the key of a backup, which"
                        + " ends in .sql.gz, or what such keys begin with, up to a slash",
                "{bootstrapFrom: {externalPrimary: {host: 'mysql://h', credentialsSecretRef: {name: s}}}} |"
                        + " spec.bootstrapFrom.externalPrimary.host: Invalid value: \"mysql://h\": must be a name of DNS or an"
                        + " address, without a port or a scheme",
                "{bootstrapFrom: {externalPrimary: {host: h, port: 70000, credentialsSecretRef: {name: s}}}} |"
                        + " spec.bootstrapFrom.externalPrimary.port: Invalid value: \"70000\": must be 1 to 65535",
                "{bootstrapFrom: {externalPrimary: {host: h}}} |"
                        + " spec.bootstrapFrom.externalPrimary.credentialsSecretRef.name: Required value: must be a Secret of"
                        + " the same namespace with the keys username and password",
                "{bootstrapFrom: {externalPrimary: {host: h, credentialsSecretRef: {name: s}, tls: {mode: VerifyCA}}}} |"
                        + " spec.bootstrapFrom.externalPrimary.tls.caSecretRef.name: Required value: must be a Secret of the"
                        + " same namespace with the key ca.crt, for tls.mode VerifyCA",
                "{bootstrapFrom: {externalPrimary: {host: h, credentialsSecretRef: {name: s}, tls: {mode: Required,"
                        + " caSecretRef: {name: c}}}}} | spec.bootstrapFrom.externalPrimary.tls.caSecretRef: Invalid value:"
                        + " \"c\": must be left out with tls.mode Required, which verifies nothing: make that VerifyCA or"
                        + " VerifyIdentity",
                "{mode: Simple, bootstrapFrom: {externalPrimary: {host: h, credentialsSecretRef: {name: s}}}} |"
                        + " spec.bootstrapFrom.externalPrimary: Forbidden: is only for spec.mode Replicated",
                "{auth: {database: 'a b'}} | spec.auth.database: Invalid value: \"a b\": must be 1 to 64 characters of A-Z, a-z,"
                        + " 0-9, _, $ and -",
                "{auth: {database: MySQL}} | spec.auth.database: Invalid value: \"MySQL\": must not be a database of the server's"
                        + " own or of the operator: busbar_copy_in_progress, information_schema, mysql, performance_schema, sys",
                "{mode: Simple, backup: {}} | spec.backup: Forbidden: is only for spec.mode Replicated",
                "{backup: {timeZone: Mars/Base}} | spec.backup.timeZone: Invalid value: \"Mars/Base\": must be a name of the"
                        + " IANA database, or left out for UTC",
                "{backup: {storage: {hostPath: data}}} | spec.backup.storage.hostPath: Invalid value: \"data\": must be an"
                        + " absolute path",
                "{backup: {schedule: 0 3 * * *}} | spec.backup.storage: Required value: a schedule needs a place for its"
                        + " backups: pvc.claimName, hostPath or s3",
            })
    void what_it_cannot_be_is_told_with_the_field_its_value_and_what_is_allowed(String spec, String problem) {
        assertThat(problems(spec)).containsExactly(problem);
    }

    @Test
    void a_schedule_of_six_fields_is_refused() {
        assertThat(problems("{backup: {schedule: 0 0 3 * * *, storage: {hostPath: /b}}}"))
                .singleElement()
                .asString()
                .startsWith("spec.backup.schedule: Invalid value: \"0 0 3 * * *\": must be five fields of cron");
    }

    @Test
    void a_name_has_room_for_those_of_what_belongs_to_it() {
        MySQLCluster cluster = TestClusters.cluster("{}");
        cluster.getMetadata().setName("a".repeat(50));
        assertThat(validator.create(cluster, nothing()).problems()).isEmpty();

        cluster.getMetadata().setName("a".repeat(51));

        assertThat(validator.create(cluster, nothing()).problems())
                .extracting(FieldProblem::toString)
                .containsExactly(
                        "metadata.name: Invalid value: \"" + "a".repeat(51) + "\": must be no more than 50 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"moving-in.yaml", "from-a-bucket.yaml"})
    void lets_pass_what_the_documentation_shows(String file) throws IOException {
        String[] documents =
                Files.readString(Path.of("../docs/examples/mysql/" + file)).split("---\n", -1);
        MySQLCluster cluster = Serialization.unmarshal(documents[documents.length - 1], MySQLCluster.class);

        assertThat(cluster.wanted().bootstrapFrom()).isNotNull();
        assertThat(BootstrapRules.problems(cluster.wanted(), NOW)).isEmpty();
    }

    @Test
    void a_cluster_that_follows_must_take_over_before_it_can_forget_whom() {
        String from = "{bootstrapFrom: {externalPrimary: {host: h, credentialsSecretRef: {name: s}}}}";
        MySQLCluster following = TestClusters.cluster(from);
        following.setStatus(
                new MySQLClusterStatus.Builder().primary("db-0", null).build());
        MySQLCluster over = TestClusters.cluster(from);
        over.setStatus(following.getStatus());
        over.getMetadata().setAnnotations(Map.of(ClusterKeys.CUT_OVER_AT.name(), "2026-01-01T00:00:00Z"));

        assertThat(changes(following, "{}")).singleElement().asString().contains("before the cluster has taken over");
        assertThat(changes(over, "{}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec.mode | {} | {mode: Simple}",
                "spec.storage.storageClassName | {} | {storage: {storageClassName: fast}}",
                "spec.bootstrapFrom | {} | {bootstrapFrom: {backupName: b}}",
                "spec.bootstrapFrom | {bootstrapFrom: {backupName: b}} | {bootstrapFrom: {backupName: c}}",
            })
    void what_the_data_would_not_survive_cannot_be_changed(String field, String before, String after) {
        assertThat(changes(before, after)).containsExactly(field + ": Forbidden: cannot be changed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{image: 'mariadb:10.11'} | {image: 'mysql:9.7'} | mysql:9.7 | MariaDB | mariadb:10.11",
                "{image: 'mariadb:10.11'} | {version: '9.7'} | mysql:9.7 | MariaDB | mariadb:10.11",
                "{version: '9.7'} | {image: 'quay.io/mariadb-foundation/mariadb-devel:11.4'}"
                        + " | quay.io/mariadb-foundation/mariadb-devel:11.4 | MySQL | mysql:9.7",
            })
    void the_data_of_one_product_is_not_given_to_the_other(
            String before, String after, String image, String product, String was) {
        assertThat(changes(before, after))
                .containsExactly("spec.image: Invalid value: \"" + image + "\": must be of " + product + ", as " + was
                        + " is, whose data it could not read: make a new cluster, and load a dump of this one there");
    }

    @Test
    void volumes_grow_and_go_back_to_what_they_have_but_never_shrink() {
        assertThat(changes("{}", "{storage: {size: 2Gi}}")).isEmpty();
        assertThat(changes("{storage: {size: 2Gi}}", "{storage: {size: 1Gi}}"))
                .containsExactly(
                        "spec.storage.size: Invalid value: \"1Gi\": must not be less than 2Gi, which the volumes"
                                + " have: they can grow, not shrink");

        MySQLCluster refused = TestClusters.cluster("{storage: {size: 5Gi}}");
        MySQLCluster told = refused.with(
                new MySQLClusterStatus.Builder().volumeSize(new Quantity("2Gi")).build());
        MySQLCluster back = TestClusters.cluster("{storage: {size: 2Gi}}");
        MySQLCluster less = TestClusters.cluster("{storage: {size: 2047Mi}}");

        assertThat(validator.update(told, back, nothing()).problems()).isEmpty();
        assertThat(validator.update(told, less, nothing()).problems())
                .extracting(FieldProblem::toString)
                .singleElement()
                .asString()
                .contains("must not be less than 2Gi");
    }

    @Test
    void a_limit_that_the_server_cannot_keep_is_warned_of() {
        assertThat(validator
                        .create(
                                TestClusters.cluster("{image: 'mysql:9.7', storage: {readOnlyBelowPercent: 5}}"),
                                nothing())
                        .warnings())
                .containsExactly(
                        "spec.storage.readOnlyBelowPercent: MySQL does not tell how much of its disk is free: it"
                                + " has no effect");
        assertThat(validator
                        .create(
                                TestClusters.cluster("{image: 'mariadb:11', storage: {readOnlyBelowPercent: 5}}"),
                                nothing())
                        .warnings())
                .isEmpty();
    }

    @Test
    void what_an_older_operator_let_through_does_not_stop_another_change() {
        assertThat(changes("{config: {replicate_do_db: a}}", "{size: 3, config: {replicate_do_db: a}}"))
                .isEmpty();
        assertThat(changes("{}", "{config: {replicate_do_db: a}}")).hasSize(1);
    }

    @Test
    void all_else_can_be_changed() {
        assertThat(changes("{}", "{size: 5, image: a, config: {b: c}, failover: {enabled: false}}"))
                .isEmpty();
        assertThat(changes("{storage: {size: 1Gi}}", "{storage: {size: 1024Mi}}"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8.4.6 | {version: '8.4'} | {version: '8.4.5'}",
                "8.4.6 | {version: '9.7'} | {version: '8.4'}",
                "8.0.31 | {image: 'percona/percona-server:8.0.31-23'} | {image: 'percona/percona-server:8.0.36-28'}",
                "10.11.6-MariaDB-log | {image: 'mariadb:10.11'} | {image: 'mariadb:10.11.4'}",
                "10.11.6-MariaDB-log | {image: 'mariadb:10.11'} | {image: 'mariadb:latest'}",
                "8.4.6 | {image: 'ours:1'} | {image: 'ours:0'}",
            })
    void data_go_on_with_the_same_series_and_with_what_nobody_knows(String runs, String before, String after) {
        Verdict verdict = upgrade(runs, before, after, "", Map.of());
        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "8.4.6 | {version: '8.4'} | {version: '8.0'} | spec.version: Invalid value: \"8.0\": must not be older than"
                        + " MySQL 8.4.6, which the primary runs: no server reads what a newer one has written. Make a new"
                        + " cluster, and load a dump of this one there",
                "8.0.36 | {version: '8.0'} | {version: '8.0.31'} | spec.version: Invalid value: \"8.0.31\": must not be older"
                        + " than MySQL 8.0.36, which the primary runs: no server reads what a newer one has written. Make a"
                        + " new cluster, and load a dump of this one there",
                "11.4.2-MariaDB | {image: 'mariadb:11.4'} | {image: 'r:5000/mariadb:10.11@sha256:aa'} | spec.image: Invalid"
                        + " value: \"r:5000/mariadb:10.11@sha256:aa\": must not be older than MariaDB 11.4.2, which the primary"
                        + " runs: no server reads what a newer one has written. Make a new cluster, and load a dump of this"
                        + " one there",
                "8.0.36 | {version: '8.0'} | {version: '9.7'} | spec.version: Invalid value: \"9.7\": must be 8.4 or older:"
                        + " the data of MySQL 8.0.36, which the primary runs, go no further at once. Upgrade to 8.4 first",
                "5.7.44 | {image: 'mysql:5.7'} | {image: 'mysql:8.4.1'} | spec.image: Invalid value: \"mysql:8.4.1\": must be"
                        + " 8.0 or older: the data of MySQL 5.7.44, which the primary runs, go no further at once. Upgrade to"
                        + " 8.0 first",
            })
    void data_go_neither_back_nor_past_a_series_that_has_to_come_between(
            String runs, String before, String after, String problem) {
        assertThat(upgrade(runs, before, after, "2026-11-27T11:00:00Z", Map.of())
                        .problems())
                .extracting(FieldProblem::toString)
                .containsExactly(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8.4.6 | {version: '8.4'} | {version: '9.7'} | MySQL 9.7 | MySQL 8.4.6 | 9.7",
                "9.2.0 | {version: '9.2'} | {version: '9.3'} | MySQL 9.3 | MySQL 9.2.0 | 9.3",
                "9.7.0 | {version: '9.7'} | {version: '10.1'} | MySQL 10.1 | MySQL 9.7.0 | 10.1",
                "10.6.9-MariaDB | {image: 'mariadb:10.6'} | {version: '1', image: 'mariadb:11.8.2'} | MariaDB 11.8.2"
                        + " | MariaDB 10.6.9 | 11.8",
            })
    void a_later_series_needs_a_backup_of_the_last_day_or_a_word_that_none_is_wanted(
            String runs, String before, String after, String to, String from, String series) {
        String noWayBack = ": once the primary runs " + to + ", its data are of no use to " + from + " any more";
        for (String none : List.of("", "2026-11-26T11:59:59Z", "yesterday")) {
            assertThat(upgrade(runs, before, after, none, Map.of()).problems())
                    .extracting(FieldProblem::toString)
                    .singleElement()
                    .asString()
                    .endsWith("must wait for a backup" + noWayBack
                            + ". Make a MySQLBackup, which may be as old as a day, or"
                            + " set the annotation database.example.com/upgrade-without-backup to \"" + series + "\"");
        }
        Verdict saved = upgrade(runs, before, after, "2026-11-26T12:00:00Z", Map.of());
        assertThat(saved.problems()).isEmpty();
        assertThat(saved.warnings())
                .singleElement()
                .asString()
                .endsWith(noWayBack + "; the way back is the MySQLBackup nightly of 2026-11-26T12:00:00Z");
        String waiver = "database.example.com/upgrade-without-backup";
        Verdict waived = upgrade(runs, before, after, "", Map.of(waiver, series));
        assertThat(waived.problems()).isEmpty();
        assertThat(waived.warnings())
                .singleElement()
                .asString()
                .endsWith(noWayBack + ", and no backup is as new as a day");
        assertThat(upgrade(runs, before, after, "", Map.of(waiver, "true")).problems())
                .hasSize(1);
    }

    @Test
    void an_image_whose_name_tells_no_product_is_of_the_one_that_the_primary_runs() {
        assertThat(upgrade("10.11.6-MariaDB-log", "{image: 'ours:1'}", "{image: 'reg:5000/mysql:9.7'}", "", Map.of())
                        .problems())
                .extracting(FieldProblem::toString)
                .containsExactly(
                        "spec.image: Invalid value: \"reg:5000/mysql:9.7\": must be of MariaDB, as ours:1 is, whose"
                                + " data it could not read: make a new cluster, and load a dump of this one there");
    }

    @Test
    void a_backup_of_some_databases_is_no_way_back() {
        String some = ", backup: {schedule: '0 3 * * *', databases: [shop], storage: {hostPath: /backups}}}";
        Verdict verdict =
                upgrade("8.4.6", "{version: '8.4'" + some, "{version: '9.7'" + some, NOW.toString(), Map.of());

        assertThat(verdict.problems())
                .extracting(FieldProblem::toString)
                .anyMatch(one -> one.contains("wait for a backup"));
    }

    @Test
    void servers_that_keep_no_data_and_clusters_that_had_no_primary_yet_run_what_is_wanted() {
        assertThat(changes("{version: '8.4'}", "{version: '8.0'}")).isEmpty();
        assertThat(upgrade("8.4.6", "{mode: Simple, version: '8.4'}", "{mode: Simple, version: '8.0'}", "", Map.of())
                        .problems())
                .isEmpty();
    }

    /** @param backup when the last one was complete; empty for none */
    private Verdict upgrade(String runs, String before, String after, String backup, Map<String, String> annotations) {
        MySQLCluster was = TestClusters.cluster(before);
        MySQLCluster is = TestClusters.cluster(after);
        MySQLClusterStatus status = new KubernetesSerialization()
                .unmarshal(
                        "---\n{version: '" + runs + "'"
                                + (backup.isEmpty()
                                        ? ""
                                        : ", lastBackup: {name: nightly, completedAt: '" + backup + "'}")
                                + "}",
                        MySQLClusterStatus.class);
        was.setStatus(status);
        is.setStatus(status);
        is.getMetadata().setAnnotations(annotations);
        return validator.update(was, is, nothing());
    }

    private List<String> problems(String spec) {
        return validator.create(TestClusters.cluster(spec), nothing()).problems().stream()
                .map(FieldProblem::toString)
                .toList();
    }

    private List<String> changes(String before, String after) {
        return changes(TestClusters.cluster(before), after);
    }

    private List<String> changes(MySQLCluster before, String after) {
        return validator.update(before, TestClusters.cluster(after), nothing()).problems().stream()
                .map(FieldProblem::toString)
                .toList();
    }

    /** A request that must not be asked anything. */
    private static AdmissionRequest nothing() {
        return (AdmissionRequest) Proxy.newProxyInstance(
                AdmissionRequest.class.getClassLoader(),
                new Class<?>[] {AdmissionRequest.class},
                (proxy, method, values) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
