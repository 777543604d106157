package io.busbar.operator.mysqlcluster.s3;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;
import org.jclouds.blobstore.TransientApiMetadata;
import org.jclouds.blobstore.domain.Blob;
import org.jclouds.blobstore.domain.StorageMetadata;
import org.jclouds.blobstore.options.ListContainerOptions;

/**
 * An S3 server with one bucket in memory, which checks signatures. Not imitated: rights, regions, versions, and what
 * happens to a bucket that is full; those are faults of {@link FaultyS3}.
 *
 * <p>Any thread; blocks.
 */
public final class S3Server implements AutoCloseable {

    public static final String BUCKET = "backups";
    public static final String ACCESS_KEY_ID = "busbar-test";
    public static final String SECRET_ACCESS_KEY = "not-a-secret";

    private final BlobStoreContext context;
    private final BlobStore store;
    private final S3Proxy server;

    private S3Server(BlobStoreContext context) throws Exception {
        this.context = context;
        this.store = context.getBlobStore();
        store.createContainerInLocation(null, BUCKET);
        this.server = S3Proxy.builder()
                .blobStore(store)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY_ID, SECRET_ACCESS_KEY)
                .build();
        server.start();
    }

    public static S3Server start() throws Exception {
        return new S3Server(
                ContextBuilder.newBuilder(new TransientApiMetadata()).buildView(BlobStoreContext.class));
    }

    public int port() {
        return server.getPort();
    }

    /** The keys of all objects, in their order; the store itself keeps what belongs to open uploads among them. */
    public List<String> keys() {
        return store.list(BUCKET, ListContainerOptions.Builder.recursive()).stream()
                .map(StorageMetadata::getName)
                .filter(key -> !key.matches("(\\.mpus-)?[0-9a-f]{8}-.*"))
                .toList();
    }

    /** How many uploads were begun, and neither completed nor given up. */
    public int openUploads() {
        return store.listMultipartUploads(BUCKET).size();
    }

    public byte[] read(String key) throws Exception {
        try (var content = store.getBlob(BUCKET, key).getPayload().openStream()) {
            return content.readAllBytes();
        }
    }

    public String text(String key) throws Exception {
        return new String(read(key), StandardCharsets.UTF_8);
    }

    public void write(String key, byte[] content) {
        Blob blob = store.blobBuilder(key)
                .payload(content)
                .contentLength(content.length)
                .build();
        store.putBlob(BUCKET, blob);
    }

    public void remove(String key) {
        store.removeBlob(BUCKET, key);
    }

    @Override
    public void close() {
        context.close();
        try {
            server.stop();
        } catch (Exception running) {
            throw new IllegalStateException(running);
        }
    }
}
