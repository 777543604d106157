package io.busbar.operator.mysqlcluster.s3;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One whole binary log file in the archive, as it stands beside the file in the bucket: without it, the file is not
 * there.
 *
 * <p>Immutable.
 *
 * @param number from 1 on, rising by one
 * @param start what its server had executed before the file, as {@code sql.Position} writes it
 * @param end what its server had executed after the file
 * @param firstEventTime of the first transaction in it, in RFC 3339, UTC; null where it has none
 * @param lastEventTime the latest of those of its transactions, in RFC 3339, UTC; null where it has none
 * @param server the Pod that wrote the file
 * @param file its name on that server
 * @param sizeBytes of the object
 * @param sha256 of the object, in hexadecimal digits
 * @param serverVersion of that server, in its own words
 * @param continues whether all between the segment before and this one is in one of them, and both are of one history
 * @param since the number of the segment from which on all continue up to this one
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Segment(
        long number,
        String start,
        String end,
        @Nullable String firstEventTime,
        @Nullable String lastEventTime,
        String server,
        String file,
        long sizeBytes,
        String sha256,
        String serverVersion,
        boolean continues,
        long since) {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    byte[] toJson() {
        try {
            return (JSON.writeValueAsString(this) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reads what stands beside a file.
     *
     * @param number that its name has, and so must it
     * @throws S3Failure when it is not that of such a segment
     */
    static Segment of(String key, long number, byte[] json) {
        try {
            Segment segment = JSON.readValue(json, Segment.class);
            if (segment.number() == number
                    && segment.start() != null
                    && segment.end() != null
                    && segment.sha256() != null) {
                return segment;
            }
        } catch (IOException notJson) {
            throw new S3Failure(key + " does not tell of a binary log: it is not such JSON");
        }
        throw new S3Failure(key + " does not tell of the binary log with the number " + number);
    }
}
