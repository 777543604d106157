package io.busbar.operator.mysqlcluster.s3;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.busbar.operator.mysqlcluster.sql.Position;
import io.busbar.operator.mysqlcluster.sql.ServerState.Flavor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What a backup is, beside it in the bucket: without it, there is no backup.
 *
 * <p>Immutable.
 *
 * @param file the key of the object
 * @param sizeBytes of the object
 * @param sha256 of the object, in hexadecimal digits
 * @param gtid what the backup holds, as a GTID set
 * @param serverVersion of the server that was copied, in its own words
 * @param completionTime in RFC 3339
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Manifest(String file, long sizeBytes, String sha256, String gtid, String serverVersion, String completionTime) {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private static final String ENDING = ".json";

    /** The key of the manifest of an object. */
    static String key(String file) {
        return file + ENDING;
    }

    static boolean isKey(String key) {
        return key.endsWith(".sql.gz" + ENDING);
    }

    /** The key of the object of a manifest. */
    static String file(String key) {
        return key.substring(0, key.length() - ENDING.length());
    }

    /** Of the server that was copied. */
    Flavor flavor() {
        return serverVersion.contains("MariaDB") ? Flavor.MARIADB : Flavor.MYSQL;
    }

    /** What the backup holds. */
    Position position() {
        return Position.of(flavor(), gtid);
    }

    byte[] toJson() {
        try {
            return (JSON.writeValueAsString(this) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** @throws S3Failure when it is none */
    static Manifest of(String file, byte[] json) {
        try {
            return JSON.readValue(json, Manifest.class);
        } catch (IOException notJson) {
            throw new S3Failure(key(file) + " is not a manifest of a backup");
        }
    }
}
