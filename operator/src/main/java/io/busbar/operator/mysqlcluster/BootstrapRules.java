package io.busbar.operator.mysqlcluster;

import io.busbar.admission.FieldProblem;
import io.busbar.operator.mysqlcluster.backup.RestoreRules;
import io.busbar.operator.mysqlcluster.backup.StorageRules;
import io.busbar.operator.mysqlcluster.migrate.ExternalPrimaries;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupInStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.BootstrapFrom;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalPrimary;
import io.busbar.operator.mysqlcluster.v1alpha1.ExternalTls;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What spec.bootstrapFrom of a cluster can be. Pure; any thread. */
final class BootstrapRules {

    private static final String FROM = "spec.bootstrapFrom";
    private static final int MOST = 65535;

    /** A name of DNS, or an address. */
    private static final Pattern HOST = Pattern.compile(
            "(?=.{1,253}$)[A-Za-z0-9_]([-A-Za-z0-9_]*[A-Za-z0-9])?(\\.[A-Za-z0-9_]([-A-Za-z0-9_]*[A-Za-z0-9])?)*"
                    + "|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private BootstrapRules() {}

    /** What is wrong; empty when nothing is. */
    static List<FieldProblem> problems(MySQLClusterSpec spec, Instant now) {
        BootstrapFrom from = spec.bootstrapFrom();
        if (from == null) {
            return List.of();
        }
        List<String> ways = Stream.of(
                        from.backupName() == null ? "" : "backupName",
                        from.storedBackup() == null ? "" : "storedBackup",
                        from.externalPrimary() == null ? "" : "externalPrimary")
                .filter(way -> !way.isEmpty())
                .toList();
        if (ways.size() != 1) {
            return List.of(FieldProblem.invalid(
                    FROM,
                    String.join(", ", ways),
                    "must say backupName, storedBackup or externalPrimary, and one of them only"));
        }
        ExternalPrimary outside = from.externalPrimary();
        BackupInStorage stored = from.storedBackup();
        List<FieldProblem> problems = new ArrayList<>(RestoreRules.until(FROM, from.pointInTime(), from.gtid(), now));
        if (outside != null && (from.pointInTime() != null || from.gtid() != null)) {
            problems.add(FieldProblem.forbidden(
                    FROM + (from.pointInTime() != null ? ".pointInTime" : ".gtid"),
                    "is only for backupName and storedBackup"));
        }
        if (stored != null) {
            problems.addAll(ofStored(stored));
        }
        if (outside != null) {
            problems.addAll(ofOutside(spec, outside));
        }
        return problems;
    }

    private static List<FieldProblem> ofStored(BackupInStorage stored) {
        String path = FROM + ".storedBackup";
        List<FieldProblem> problems = new ArrayList<>();
        if (stored.storage() == null) {
            problems.add(FieldProblem.required(path + ".storage.s3", "must be the bucket that has the backup"));
        } else if (stored.storage().pvc() != null || stored.storage().hostPath() != null) {
            problems.add(FieldProblem.forbidden(
                    path + ".storage",
                    "must be s3: nothing beside a file in a volume tells what it was when it was made"));
        } else {
            problems.addAll(StorageRules.problems(path + ".storage", stored.storage()));
        }
        String file = Objects.requireNonNullElse(stored.file(), "");
        if (!file.matches("[^/].*(\\.sql\\.gz|/)")) {
            problems.add(FieldProblem.invalid(
                    path + ".file",
                    file,
                    "must be the key of a backup, which ends in .sql.gz, or what such keys begin with, up to a slash"));
        }
        return problems;
    }

    private static List<FieldProblem> ofOutside(MySQLClusterSpec spec, ExternalPrimary outside) {
        String path = ExternalPrimaries.PATH;
        List<FieldProblem> problems = new ArrayList<>();
        if (spec.mode() == Mode.Simple) {
            problems.add(FieldProblem.forbidden(path, "is only for spec.mode Replicated"));
        }
        String host = Objects.requireNonNullElse(outside.host(), "");
        if (!HOST.matcher(host).matches()) {
            problems.add(FieldProblem.invalid(
                    path + ".host", host, "must be a name of DNS or an address, without a port or a scheme"));
        }
        if (outside.port() < 1 || outside.port() > MOST) {
            problems.add(FieldProblem.invalid(path + ".port", outside.port(), "must be 1 to " + MOST));
        }
        if (isMissing(outside.credentialsSecretRef())) {
            problems.add(FieldProblem.required(
                    path + ".credentialsSecretRef.name",
                    "must be a Secret of the same namespace with the keys username and password"));
        }
        ExternalTls tls = outside.tls();
        if (tls.verifies() && isMissing(tls.caSecretRef())) {
            problems.add(FieldProblem.required(
                    path + ".tls.caSecretRef.name",
                    "must be a Secret of the same namespace with the key ca.crt, for tls.mode " + tls.mode()));
        }
        if (!tls.verifies() && tls.caSecretRef() != null) {
            problems.add(FieldProblem.invalid(
                    path + ".tls.caSecretRef",
                    tls.caSecretRef().name(),
                    "must be left out with tls.mode " + tls.mode() + ", which verifies nothing: make that VerifyCA or"
                            + " VerifyIdentity"));
        }
        return problems;
    }

    private static boolean isMissing(@Nullable SecretRef secret) {
        return secret == null || secret.name() == null || secret.name().isEmpty();
    }
}
