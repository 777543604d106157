package io.busbar.operator.mysqlcluster.backup;

import io.busbar.admission.FieldProblem;
import io.busbar.operator.mysqlcluster.v1alpha1.BackupStorage;
import io.busbar.operator.mysqlcluster.v1alpha1.S3Storage;
import io.busbar.operator.mysqlcluster.v1alpha1.SecretRef;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a place for backups can be. Pure; any thread. */
public final class StorageRules {

    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9!_.*'()-]+(/[A-Za-z0-9!_.*'()-]+)*");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,63}");

    /** Beside it, a key has names of a namespace, a cluster and a backup; all of it may have 1024. */
    private static final int LONGEST_PREFIX = 256;

    private StorageRules() {}

    /**
     * What is wrong; empty when nothing is.
     *
     * @param path of the storage, such as {@code spec.storage}
     */
    public static List<FieldProblem> problems(String path, BackupStorage storage) {
        List<String> places = Stream.of(
                        Optional.ofNullable(storage.pvc()).map(claim -> "pvc"),
                        text(storage.hostPath()).map(folder -> "hostPath"),
                        Optional.ofNullable(storage.s3()).map(bucket -> "s3"))
                .flatMap(Optional::stream)
                .toList();
        if (places.size() != 1) {
            return List.of(FieldProblem.invalid(
                    path, String.join(", ", places), "must say pvc.claimName, hostPath or s3, and one of them only"));
        }
        if (storage.s3() != null) {
            return ofS3(path + ".s3", storage.s3());
        }
        String folder = storage.hostPath();
        return folder == null || folder.startsWith("/")
                ? List.of()
                : List.of(FieldProblem.invalid(path + ".hostPath", folder, "must be an absolute path"));
    }

    private static List<FieldProblem> ofS3(String path, S3Storage s3) {
        List<FieldProblem> problems = new ArrayList<>();
        String bucket = text(s3.bucket()).orElse("");
        if (!BUCKET.matcher(bucket).matches()
                || bucket.contains("..")
                || ADDRESS.matcher(bucket).matches()) {
            problems.add(FieldProblem.invalid(
                    path + ".bucket",
                    bucket,
                    "must be 3 to 63 lower case letters, digits, hyphens and dots, with a letter or a digit at both"
                            + " ends and beside each dot, and no IP address"));
        }
        text(s3.endpoint())
                .filter(endpoint -> !isServer(endpoint))
                .ifPresent(endpoint -> problems.add(FieldProblem.invalid(
                        path + ".endpoint",
                        endpoint,
                        "must be a URL with http or https, a host and perhaps a port, such as"
                                + " https://minio.example.com:9000")));
        text(s3.prefix())
                .filter(prefix -> prefix.length() > LONGEST_PREFIX
                        || !PREFIX.matcher(prefix).matches())
                .ifPresent(prefix -> problems.add(FieldProblem.invalid(
                        path + ".prefix",
                        prefix,
                        "must be words of letters, digits and !_.*'()- with a / between them and none at the ends, of at"
                                + " most " + LONGEST_PREFIX + " characters")));
        if (!REGION.matcher(s3.region()).matches()) {
            problems.add(FieldProblem.invalid(
                    path + ".region",
                    s3.region(),
                    "must be lower case letters, digits and hyphens, such as us-east-1"));
        }
        text(s3.serverSideEncryption())
                .filter(encryption -> !List.of("AES256", "aws:kms").contains(encryption))
                .ifPresent(encryption -> problems.add(FieldProblem.notSupported(
                        path + ".serverSideEncryption", encryption, "\"AES256\", \"aws:kms\"")));
        required(path + ".credentialsSecretRef", s3.credentialsSecretRef(), problems);
        if (s3.caSecretRef() != null) {
            required(path + ".caSecretRef", s3.caSecretRef(), problems);
        }
        return problems;
    }

    private static void required(String path, @Nullable SecretRef secret, List<FieldProblem> problems) {
        if (secret == null || text(secret.name()).isEmpty()) {
            problems.add(FieldProblem.required(path + ".name", "the name of a Secret in the same namespace"));
        }
    }

    private static boolean isServer(String endpoint) {
        try {
            URI url = new URI(endpoint);
            return List.of("http", "https").contains(String.valueOf(url.getScheme()))
                    && url.getHost() != null
                    && url.getUserInfo() == null
                    && List.of("", "/").contains(url.getPath())
                    && url.getQuery() == null
                    && url.getFragment() == null;
        } catch (URISyntaxException invalid) {
            return false;
        }
    }

    private static Optional<String> text(@Nullable String text) {
        return Optional.ofNullable(text).filter(some -> !some.isEmpty());
    }
}
