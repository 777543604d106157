package io.busbar.operator.mysqlcluster.s3;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A bucket of any S3 server: nothing is asked of it that only the newest know. What is answered by 500 or 503, or cut
 * off, is tried again by the client, with longer and longer pauses.
 *
 * <p>One thread; blocks. All methods throw {@link S3Failure}.
 */
final class Bucket implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Bucket.class);

    private static final Duration CONNECTING = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final S3Client client;
    private final S3Place place;

    private Bucket(S3Client client, S3Place place) {
        this.client = client;
        this.place = place;
    }

    /** @param attempts how often something is asked for at most */
    static Bucket open(S3Place place, Credentials credentials, int attempts) {
        UrlConnectionHttpClient.Builder http =
                UrlConnectionHttpClient.builder().connectionTimeout(CONNECTING).socketTimeout(SILENCE);
        credentials.trust().ifPresent(trust -> http.tlsTrustManagersProvider(() -> trust));
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(http)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(credentials.accessKeyId(), credentials.secretAccessKey())))
                .region(Region.of(place.region()))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder()
                        .pathStyleAccessEnabled(place.pathStyle())
                        .chunkedEncodingEnabled(false)
                        .expectContinueEnabled(false)
                        .build())
                .overrideConfiguration(options -> options.retryStrategy(retries -> retries.maxAttempts(attempts)));
        if (place.endpoint() != null) {
            builder.endpointOverride(place.endpoint());
        }
        return new Bucket(builder.build(), place);
    }

    /** Begins an object, which is there only once it is {@linkplain Upload#complete complete}. */
    Upload upload(String key, int partBytes) {
        String id = written(() -> client.createMultipartUpload(
                        request -> request.bucket(place.bucket()).key(key).serverSideEncryption(place.encryption()))
                .uploadId());
        return new Upload(client, place, key, id, partBytes);
    }

    /**
     * Gives up all uploads that were begun and never ended, of keys that begin so and have no slash after that: those in
     * folders below are others' work. One that is not let do that does not.
     */
    void abortUploads(String prefix) {
        try {
            uploads(prefix)
                    .forEach(upload -> client.abortMultipartUpload(request ->
                            request.bucket(place.bucket()).key(upload.key()).uploadId(upload.uploadId())));
        } catch (SdkException failure) {
            log.atWarn()
                    .addKeyValue(
                            "reason",
                            S3Failure.of(place, "looked through", failure).getMessage())
                    .log("uploads that were begun earlier may be left in the bucket");
        }
    }

    /** Whether an object right below a folder has been begun. */
    boolean isUploading(String folder) {
        try {
            return uploads(folder).findAny().isPresent();
        } catch (SdkException failure) {
            throw S3Failure.of(place, "looked through", failure);
        }
    }

    private Stream<MultipartUpload> uploads(String prefix) {
        return client
                .listMultipartUploadsPaginator(
                        request -> request.bucket(place.bucket()).prefix(prefix))
                .uploads()
                .stream()
                .filter(upload -> upload.key().indexOf('/', prefix.length()) < 0);
    }

    void write(Manifest manifest) {
        writeJson(Manifest.key(manifest.file()), manifest.toJson());
    }

    void writeJson(String key, byte[] json) {
        written(() -> client.putObject(
                request -> request.bucket(place.bucket())
                        .key(key)
                        .contentType("application/json")
                        .serverSideEncryption(place.encryption()),
                RequestBody.fromBytes(json)));
    }

    /** Empty where there is none, and so no backup. */
    Optional<Manifest> manifest(String key) {
        return bytes(Manifest.key(key)).map(json -> Manifest.of(key, json));
    }

    /** All of a small object; empty where there is none. */
    Optional<byte[]> bytes(String key) {
        try {
            return Optional.of(client.getObjectAsBytes(
                            request -> request.bucket(place.bucket()).key(key))
                    .asByteArray());
        } catch (S3Exception answer) {
            if (isMissing(answer)) {
                return Optional.empty();
            }
            throw S3Failure.of(place, "read", answer);
        } catch (SdkException failure) {
            throw S3Failure.of(place, "read", failure);
        }
    }

    /**
     * The keys right below a folder, in their order.
     *
     * @param folder that keys begin with, with a slash at the end
     * @param after the key that they come after; empty for all
     */
    List<String> keys(String folder, String after) {
        return list(folder, after, Stream::toList);
    }

    /** The first one of these that is asked for; reads no more than leads there. */
    Optional<String> firstKey(String folder, String after, Predicate<String> wanted) {
        return list(folder, after, keys -> keys.filter(wanted).findFirst());
    }

    private <T> T list(String folder, String after, Function<Stream<String>, T> reading) {
        try {
            return reading.apply(client
                    .listObjectsV2Paginator(request -> request.bucket(place.bucket())
                            .prefix(folder)
                            .delimiter("/")
                            .startAfter(after.isEmpty() ? null : after))
                    .contents()
                    .stream()
                    .map(S3Object::key));
        } catch (SdkException failure) {
            throw S3Failure.of(place, "listed", failure);
        }
    }

    /**
     * The keys of the backups right below a folder, those first whose manifests were written last.
     *
     * @param folder that keys begin with, with a slash at the end
     */
    List<String> newestFirst(String folder) {
        try {
            return client
                    .listObjectsV2Paginator(request ->
                            request.bucket(place.bucket()).prefix(folder).delimiter("/"))
                    .contents()
                    .stream()
                    .filter(object -> Manifest.isKey(object.key()))
                    .sorted(Comparator.comparing(S3Object::lastModified).reversed())
                    .map(object -> Manifest.file(object.key()))
                    .toList();
        } catch (SdkException failure) {
            throw S3Failure.of(place, "listed", failure);
        }
    }

    /** The object from its beginning. */
    ObjectStream read(String key) {
        return new ObjectStream(this, key);
    }

    /**
     * The rest of an object.
     *
     * @param eTag that it must have; empty for any
     */
    ResponseInputStream<GetObjectResponse> from(String key, long position, String eTag) {
        try {
            return client.getObject(request -> request.bucket(place.bucket())
                    .key(key)
                    .range(position == 0 ? null : "bytes=" + position + "-")
                    .ifMatch(eTag.isEmpty() ? null : eTag));
        } catch (S3Exception answer) {
            if (answer.statusCode() == HttpURLConnection.HTTP_PRECON_FAILED) {
                throw new S3Failure(key + " was replaced in " + place + " while it was read");
            }
            if (isMissing(answer)) {
                throw new S3Failure("there is no object " + key + " in " + place);
            }
            throw S3Failure.of(place, "read", answer);
        } catch (SdkException failure) {
            throw S3Failure.of(place, "read", failure);
        }
    }

    /** Removes a backup: what makes it one goes first. What is not there is no failure. */
    void remove(String key) {
        abortUploads(key);
        removeObject(Manifest.key(key));
        removeObject(key);
    }

    /** What is not there is no failure. */
    void removeObject(String key) {
        written(() ->
                client.deleteObject(request -> request.bucket(place.bucket()).key(key)));
    }

    private static boolean isMissing(S3Exception answer) {
        return answer.statusCode() == HttpURLConnection.HTTP_NOT_FOUND
                && (answer.awsErrorDetails() == null
                        || !"NoSuchBucket".equals(answer.awsErrorDetails().errorCode()));
    }

    private <T> T written(Supplier<T> writing) {
        try {
            return writing.get();
        } catch (SdkException failure) {
            throw S3Failure.of(place, "written to", failure);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
