package io.busbar.operator.mysqlcluster.s3;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A bucket, and how it is reached.
 *
 * <p>Immutable.
 *
 * @param endpoint of the server; null for that of AWS in the region
 * @param pathStyle whether the bucket stands in the path and not in the host's name
 * @param encryption what the server is to encrypt objects with, such as AES256; null for what the bucket says
 */
record S3Place(
        @Nullable URI endpoint,
        String region,
        String bucket,
        boolean pathStyle,
        @Nullable String encryption) {

    @Override
    public String toString() {
        return "S3 bucket " + bucket + (endpoint == null ? " in " + region : " at " + endpoint);
    }
}
