package io.busbar.operator.mysqlcluster;

import io.busbar.admission.AdmissionRequest;
import io.busbar.admission.FieldProblem;
import io.busbar.admission.Validator;
import io.busbar.admission.Verdict;
import io.busbar.operator.mysqlcluster.backup.BackupRules;
import io.busbar.operator.mysqlcluster.objects.ClusterKeys;
import io.busbar.operator.mysqlcluster.objects.ClusterNames;
import io.busbar.operator.mysqlcluster.objects.ClusterObjects;
import io.busbar.operator.mysqlcluster.objects.DataFiles;
import io.busbar.operator.mysqlcluster.objects.Migration;
import io.busbar.operator.mysqlcluster.objects.ServerConfig;
import io.busbar.operator.mysqlcluster.sql.Endpoint;
import io.busbar.operator.mysqlcluster.sql.Schemas;
import io.busbar.operator.mysqlcluster.v1alpha1.Autoscaling;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.ExporterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.IssuerRef;
import io.busbar.operator.mysqlcluster.v1alpha1.LastBackup;
import io.busbar.operator.mysqlcluster.v1alpha1.Mode;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLCluster;
import io.busbar.operator.mysqlcluster.v1alpha1.MySQLClusterSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.PodTemplate;
import io.busbar.operator.mysqlcluster.v1alpha1.RotationSpec;
import io.busbar.operator.mysqlcluster.v1alpha1.Storage;
import io.busbar.operator.mysqlcluster.v1alpha1.TlsSpec;
import io.busbar.operator.mysqlcluster.version.Release;
import io.busbar.operator.mysqlcluster.version.Release.Product;
import io.busbar.operator.mysqlcluster.version.ServerVersion;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Refuses what no cluster can be, and changes that its data would not survive. Any thread. */
final class MySQLClusterValidator implements Validator<MySQLCluster> {

    private static final String IMMUTABLE = "cannot be changed";

    /** Of DNS. */
    private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

    private static final String DATABASE = "[A-Za-z0-9_$-]{1,64}";

    /** Of a backup that a way back can be. */
    private static final Duration LONGEST_AGE = Duration.ofDays(1);

    /** So that the names of its Pods, and of what belongs to it, can be labels. */
    private static final int LONGEST_NAME = 50;

    /** Of MySQL also that of its X protocol, and that for administrators. */
    private static final List<Integer> PORTS_OF_SERVERS =
            List.of(ClusterNames.PORT, 33060, Endpoint.ADMINISTRATION_PORT);

    private final InstantSource clock;

    /** @param clock by which it is told how old a backup is */
    MySQLClusterValidator(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Verdict create(MySQLCluster cluster, AdmissionRequest request) {
        List<FieldProblem> problems = problems(cluster);
        return new Verdict(problems, problems.isEmpty() ? warnings(cluster) : List.of());
    }

    private static List<String> warnings(MySQLCluster cluster) {
        boolean isMySql = Release.product(new ClusterObjects(cluster).image())
                .filter(product -> product == Product.MYSQL)
                .isPresent();
        return isMySql && cluster.wanted().storage().readOnlyBelowPercent() != null
                ? List.of(
                        "spec.storage.readOnlyBelowPercent: MySQL does not tell how much of its disk is free: it has no"
                                + " effect")
                : List.of();
    }

    @Override
    public Verdict update(MySQLCluster before, MySQLCluster after, AdmissionRequest request) {
        MySQLClusterSpec old = before.wanted();
        MySQLClusterSpec changed = after.wanted();
        List<FieldProblem> problems = new ArrayList<>(problems(after));
        // What was let through by an older operator must not keep its author from changing something else.
        problems.removeAll(problems(before));
        List<String> warnings = new ArrayList<>(problems.isEmpty() ? warnings(after) : List.of());
        String was = new ClusterObjects(before).image();
        String image = new ClusterObjects(after).image();
        Optional<Release> runs = Optional.ofNullable(after.told().version()).flatMap(Release::ofServer);
        sameProduct(problems, runs, was, image);
        if (!image.equals(was) && changed.mode() == Mode.Replicated) {
            runs.ifPresent(from -> upgrade(after, from, image, problems, warnings));
        }
        // It may be left out: once a cluster has begun, it means nothing any more.
        if (changed.bootstrapFrom() != null) {
            immutable(problems, "spec.bootstrapFrom", old.bootstrapFrom(), changed.bootstrapFrom());
        } else if (Migration.isUnderWay(before) && before.told().currentPrimary() != null) {
            problems.add(FieldProblem.forbidden(
                    "spec.bootstrapFrom",
                    "cannot be left out before the cluster has taken over from the server outside: annotate it with "
                            + ClusterKeys.CUT_OVER.name()));
        }
        storage(problems, old.storage(), changed.storage(), before.told().volumeSize());
        immutable(problems, "spec.mode", old.mode(), changed.mode());
        return new Verdict(problems, warnings);
    }

    /** By what the primary runs: until it has the new release, an upgrade can be taken back. */
    private void upgrade(
            MySQLCluster cluster, Release from, String image, List<FieldProblem> problems, List<String> warnings) {
        Optional<Release> next = Release.ofImage(image).filter(one -> one.product() == from.product());
        if (next.isEmpty()) {
            return;
        }
        Release to = next.get();
        boolean named = cluster.wanted().image() != null;
        String path = named ? "spec.image" : "spec.version";
        Object value = named ? image : String.valueOf(cluster.wanted().version());
        Optional<String> obstacle = to.obstacleAfter(from);
        if (obstacle.isPresent()) {
            problems.add(FieldProblem.invalid(path, value, obstacle.get()));
        } else if (to.isOfLaterSeriesThan(from)) {
            String noWayBack = "once the primary runs " + to + ", its data are of no use to " + from + " any more";
            Optional<LastBackup> backup = backup(cluster);
            if (backup.isEmpty() && !isWaived(cluster, to)) {
                problems.add(FieldProblem.invalid(
                        path,
                        value,
                        "must wait for a backup: " + noWayBack + ". Make a MySQLBackup, which may be as old as a day,"
                                + " or set the annotation " + ClusterKeys.UPGRADE_WITHOUT_BACKUP.name() + " to \""
                                + to.series() + "\""));
            } else {
                warnings.add(path + ": " + noWayBack
                        + backup.map(last -> "; the way back is the MySQLBackup " + last.name() + " of "
                                        + last.completedAt())
                                .orElse(", and no backup is as new as a day"));
            }
        }
    }

    private static boolean isWaived(MySQLCluster cluster, Release to) {
        Map<String, String> annotations =
                Objects.requireNonNullElse(cluster.getMetadata().getAnnotations(), Map.of());
        return to.series().equals(annotations.get(ClusterKeys.UPGRADE_WITHOUT_BACKUP.name()));
    }

    /** The last one, if it is of all databases, and new enough. */
    private Optional<LastBackup> backup(MySQLCluster cluster) {
        BackupSpec schedule = cluster.wanted().backup();
        if (schedule != null && !schedule.databases().isEmpty()) {
            return Optional.empty();
        }
        return Optional.ofNullable(cluster.told().lastBackup()).filter(last -> {
            try {
                return last.completedAt() != null
                        && !Instant.parse(last.completedAt())
                                .isBefore(clock.instant().minus(LONGEST_AGE));
            } catch (DateTimeParseException unreadable) {
                return false;
            }
        });
    }

    /** @param there how large the volumes are at least; null where that is not known */
    private static void storage(List<FieldProblem> problems, Storage before, Storage after, @Nullable Quantity there) {
        immutable(problems, "spec.storage.storageClassName", before.storageClassName(), after.storageClassName());
        Quantity least = there == null ? before.size() : there;
        boolean smaller = after.size().getNumericalAmount().compareTo(least.getNumericalAmount()) < 0;
        if (smaller && !after.size().equals(before.size())) {
            problems.add(FieldProblem.invalid(
                    "spec.storage.size",
                    after.size().toString(),
                    "must not be less than " + least + ", which the volumes have: they can grow, not shrink"));
        }
    }

    private static void immutable(
            List<FieldProblem> problems, String path, @Nullable Object before, @Nullable Object after) {
        if (!Objects.equals(before, after)) {
            problems.add(FieldProblem.forbidden(path, IMMUTABLE));
        }
    }

    /** Neither can read the data of the other, and some versions destroy it when they try. */
    private static void sameProduct(List<FieldProblem> problems, Optional<Release> runs, String before, String after) {
        Optional<Product> was = Release.product(before).or(() -> runs.map(Release::product));
        if (was.isPresent()
                && Release.product(after).filter(is -> is != was.get()).isPresent()) {
            problems.add(FieldProblem.invalid(
                    "spec.image",
                    after,
                    "must be of " + was.get() + ", as " + before
                            + " is, whose data it could not read: make a new cluster,"
                            + " and load a dump of this one there"));
        }
    }

    private List<FieldProblem> problems(MySQLCluster cluster) {
        MySQLClusterSpec spec = cluster.wanted();
        List<FieldProblem> problems = new ArrayList<>();
        String name = Objects.requireNonNullElse(cluster.getMetadata().getName(), "");
        if (name.length() > LONGEST_NAME) {
            problems.add(FieldProblem.invalid(
                    "metadata.name", name, "must be no more than " + LONGEST_NAME + " characters"));
        }
        try {
            ServerVersion.of(spec.version());
        } catch (IllegalArgumentException invalid) {
            problems.add(FieldProblem.invalid(
                    "spec.version", String.valueOf(spec.version()), String.valueOf(invalid.getMessage())));
        }
        spec.config().keySet().stream()
                .filter(ServerConfig::isReserved)
                .forEach(option -> problems.add(FieldProblem.forbidden(
                        "spec.config[" + option + "]", "is for the operator to say, as replication rests on it")));
        spec.config().forEach((option, value) -> {
            if (!option.matches("[A-Za-z0-9_-]+")) {
                problems.add(FieldProblem.invalid("spec.config", option, "must be the name of an option"));
            }
            if (String.valueOf(value.getValue()).matches("(?s).*[\\r\\n].*")) {
                problems.add(FieldProblem.invalid("spec.config[" + option + "]", "…", "must be one line"));
            }
        });
        sizes(spec, problems);
        acknowledgements(cluster, problems);
        auth(spec, problems);
        tls(spec, problems);
        exporter(spec, problems);
        sidecars(spec, problems);
        problems.addAll(BackupRules.problems(spec));
        problems.addAll(BootstrapRules.problems(spec, clock.instant()));
        return problems;
    }

    private static void acknowledgements(MySQLCluster cluster, List<FieldProblem> problems) {
        int acknowledgements = cluster.wanted().replication().acknowledgements();
        if (acknowledgements <= 1) {
            return;
        }
        String path = "spec.replication.acknowledgements";
        if (!cluster.wanted().replication().semiSync()) {
            problems.add(FieldProblem.invalid(
                    path, acknowledgements, "must be 1, or left out, without replication.semiSync: no write waits"));
        }
        String image = new ClusterObjects(cluster).image();
        if (Release.product(image).equals(Optional.of(Product.MARIADB))) {
            problems.add(FieldProblem.invalid(
                    path,
                    acknowledgements,
                    "must be 1, or left out, with " + image
                            + ": MariaDB's servers can wait for one replica only, MySQL's for several"));
        }
    }

    private static void auth(MySQLClusterSpec spec, List<FieldProblem> problems) {
        String database = spec.auth().database();
        if (!database.matches(DATABASE)) {
            problems.add(FieldProblem.invalid(
                    "spec.auth.database", database, "must be 1 to 64 characters of A-Z, a-z, 0-9, _, $ and -"));
        }
        if (Schemas.isOfTheServer(database)) {
            problems.add(FieldProblem.invalid(
                    "spec.auth.database",
                    database,
                    "must not be a database of the server's own or of the operator: "
                            + String.join(", ", new TreeSet<>(Schemas.OF_THE_SERVER))));
        }
        if (spec.mode() == Mode.Simple && spec.auth().applicationSecretRef() != null) {
            problems.add(FieldProblem.forbidden("spec.auth", "is only for spec.mode Replicated"));
        }
        rotation(spec, problems);
    }

    private static void rotation(MySQLClusterSpec spec, List<FieldProblem> problems) {
        String path = "spec.auth.rotation";
        RotationSpec rotation = spec.auth().rotation();
        problems.addAll(BackupRules.times(path, rotation.schedule(), rotation.timeZone()));
        if (spec.mode() == Mode.Simple && (rotation.schedule() != null || rotation.application())) {
            problems.add(FieldProblem.forbidden(path, "is only for spec.mode Replicated"));
        }
        if (rotation.application() && spec.auth().applicationSecretRef() != null) {
            problems.add(FieldProblem.invalid(
                    path + ".application",
                    true,
                    "must be false, or left out, with auth.applicationSecretRef: that Secret is yours to change"));
        }
    }

    private static void tls(MySQLClusterSpec spec, List<FieldProblem> problems) {
        TlsSpec tls = spec.tls();
        if (spec.mode() == Mode.Simple && tls.encrypts()) {
            problems.add(FieldProblem.forbidden("spec.tls", "is only for spec.mode Replicated"));
        }
        IssuerRef issuer = tls.issuerRef();
        if (issuer != null && !tls.encrypts()) {
            problems.add(FieldProblem.invalid(
                    "spec.tls.issuerRef",
                    issuer.name(),
                    "must be left out with spec.tls.mode Disabled: make that Preferred or Required"));
        }
        if (issuer != null && issuer.name().isBlank()) {
            problems.add(FieldProblem.required("spec.tls.issuerRef.name", "must be an issuer of cert-manager's"));
        }
        if (tls.encrypts()) {
            spec.config().keySet().stream()
                    .filter(ServerConfig::isReservedWithTls)
                    .forEach(option -> problems.add(FieldProblem.forbidden(
                            "spec.config[" + option + "]",
                            "is for the operator to say with spec.tls.mode " + tls.mode())));
        }
    }

    private static void exporter(MySQLClusterSpec spec, List<FieldProblem> problems) {
        ExporterSpec exporter = spec.metrics().exporter();
        if (exporter == null) {
            return;
        }
        String path = "spec.metrics.exporter";
        if (spec.mode() == Mode.Simple) {
            problems.add(FieldProblem.forbidden(path, "is only for spec.mode Replicated"));
        }
        if (exporter.image().isBlank()) {
            problems.add(FieldProblem.required(path + ".image", "must be an image to run"));
        }
        for (Container container : spec.podTemplate().containers()) {
            boolean clashes = container.getPorts().stream()
                    .anyMatch(port -> exporter.port().equals(port.getContainerPort()));
            if (clashes) {
                problems.add(FieldProblem.invalid(
                        path + ".port",
                        exporter.port(),
                        "must not be a port of " + container.getName() + " in spec.podTemplate.containers"));
            }
        }
        if (PORTS_OF_SERVERS.contains(exporter.port())) {
            problems.add(FieldProblem.invalid(
                    path + ".port", exporter.port(), "must not be one of the server's: " + PORTS_OF_SERVERS));
        }
    }

    /** The rest is for the API server to say, which knows what a Pod can be. */
    private static void sidecars(MySQLClusterSpec spec, List<FieldProblem> problems) {
        PodTemplate pods = spec.podTemplate();
        Set<String> taken = spec.metrics().exporter() == null
                ? Set.of(ClusterNames.CONTAINER, DataFiles.GIVES)
                : Set.of(ClusterNames.CONTAINER, DataFiles.GIVES, ClusterNames.EXPORTER_CONTAINER);
        for (int i = 0; i < pods.containers().size(); i++) {
            String path = "spec.podTemplate.containers[" + i + "]";
            Container container = pods.containers().get(i);
            name(path, container.getName(), taken, problems);
            if (Objects.requireNonNullElse(container.getImage(), "").isBlank()) {
                problems.add(FieldProblem.required(path + ".image", "must be an image to run"));
            }
        }
        for (int i = 0; i < pods.volumes().size(); i++) {
            name(
                    "spec.podTemplate.volumes[" + i + "]",
                    pods.volumes().get(i).getName(),
                    ClusterNames.VOLUMES,
                    problems);
        }
    }

    /** @param taken by what is the server's */
    private static void name(String path, @Nullable String name, Set<String> taken, List<FieldProblem> problems) {
        if (name == null || !name.matches(LABEL)) {
            problems.add(FieldProblem.invalid(
                    path + ".name",
                    Objects.requireNonNullElse(name, ""),
                    "must be 1 to 63 characters of a-z, 0-9 and -, with a letter or a digit at both ends"));
        } else if (taken.contains(name)) {
            problems.add(FieldProblem.invalid(
                    path + ".name",
                    name,
                    "must not be " + name + ": that is the "
                            + (name.equals(ClusterNames.EXPORTER_CONTAINER) ? "exporter's" : "server's")));
        }
    }

    private static void sizes(MySQLClusterSpec spec, List<FieldProblem> problems) {
        Autoscaling scaling = spec.autoscaling();
        if (scaling == null || !scaling.enabled()) {
            sizes(spec, "spec.size", spec.size(), spec.size(), problems);
            return;
        }
        if (scaling.minReplicas() > scaling.maxReplicas()) {
            problems.add(FieldProblem.invalid(
                    "spec.autoscaling.minReplicas",
                    scaling.minReplicas(),
                    "must not be more than maxReplicas, " + scaling.maxReplicas()));
        }
        sizes(spec, "spec.autoscaling.minReplicas", scaling.minReplicas(), scaling.maxReplicas(), problems);
    }

    private static void sizes(MySQLClusterSpec spec, String path, int least, int most, List<FieldProblem> problems) {
        if (spec.replication().semiSync() && least < 2) {
            problems.add(FieldProblem.invalid(
                    path, least, "must be at least 2 with replication.semiSync: a write is acknowledged by a replica"));
        }
        int acknowledgements = spec.replication().acknowledgements();
        if (spec.replication().semiSync() && acknowledgements > 1 && acknowledgements >= least) {
            problems.add(FieldProblem.invalid(
                    "spec.replication.acknowledgements",
                    acknowledgements,
                    "must be less than the number of members, " + least + ": only replicas acknowledge"));
        }
        Integer ordinal = spec.replication().primaryOrdinal();
        if (ordinal != null && ordinal >= most) {
            problems.add(FieldProblem.invalid(
                    "spec.replication.primaryOrdinal", ordinal, "must be less than the number of members, " + most));
        }
    }
}
