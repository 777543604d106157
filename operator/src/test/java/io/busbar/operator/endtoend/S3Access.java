package io.busbar.operator.endtoend;

import io.busbar.operator.mysqlcluster.s3.S3Server;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.net.URI;

/**
 * The Secret by which clusters of a test reach the bucket of an {@link S3Server}.
 *
 * @param secret its name
 */
record S3Access(String secret) {

    /** Makes the Secret, with the server's own keys. */
    static S3Access create(Cluster cluster, String secret) {
        return create(cluster, secret, S3Server.SECRET_ACCESS_KEY);
    }

    static S3Access create(Cluster cluster, String secret, String secretAccessKey) {
        cluster.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(secret)
                        .withNamespace(cluster.namespace())
                        .endMetadata()
                        .addToStringData("accessKeyId", S3Server.ACCESS_KEY_ID)
                        .addToStringData("secretAccessKey", secretAccessKey)
                        .build())
                .serverSideApply();
        return new S3Access(secret);
    }

    /** What a spec says of it as its {@code storage}, in the flow style of YAML. */
    String storage(URI endpoint) {
        return "{s3: {endpoint: '" + endpoint + "', bucket: " + S3Server.BUCKET
                + ", forcePathStyle: true, credentialsSecretRef: {name: " + secret + "}}}";
    }
}
