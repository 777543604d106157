package io.busbar.operator.mysqlcluster.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A bucket of S3, or of a server that speaks as S3 does. Who writes there needs the rights to list the bucket and its
 * uploads, to read, write and delete objects, and to give up uploads.
 *
 * <p>Immutable; the region is never null.
 *
 * @param endpoint URL of the server, such as https://minio.example.com:9000; that of AWS in the region if left out
 * @param region the region of the bucket; servers beside AWS often have only us-east-1
 * @param bucket name of the bucket
 * @param prefix what the keys of objects begin with, such as mysql/production; below it the objects lie by namespace
 *     and cluster. Kubernetes clusters that share a bucket need a prefix each
 * @param forcePathStyle whether the bucket's name stands in the path of URLs and not in the host's name, as most
 *     servers beside AWS want it
 * @param credentialsSecretRef a Secret with the keys accessKeyId and secretAccessKey
 * @param serverSideEncryption what the server is to encrypt objects with, AES256 or aws:kms; as the bucket says if left
 *     out
 * @param caSecretRef a Secret whose key ca.crt has, in PEM, the authorities that vouch for the server; those of the
 *     operator's image if left out
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record S3Storage(
        @Nullable String endpoint,
        @Default("us-east-1") @Pattern("^[a-z0-9-]{1,63}$") String region,

        @Required @Pattern("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$")
        String bucket,

        @Nullable String prefix,
        @Default("false") boolean forcePathStyle,
        @Required SecretRef credentialsSecretRef,
        @Nullable @Pattern("^(AES256|aws:kms)$") String serverSideEncryption,
        @Nullable SecretRef caSecretRef) {

    public S3Storage {
        region = region == null ? "us-east-1" : region;
    }
}
