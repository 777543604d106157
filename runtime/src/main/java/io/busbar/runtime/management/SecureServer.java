package io.busbar.runtime.management;

import io.busbar.admission.certificates.CertificateReload;
import io.busbar.admission.certificates.CertificateSource;
import io.busbar.admission.certificates.CertificateWatch;
import io.busbar.admission.certificates.EphemeralCertificates;
import io.busbar.admission.certificates.MountedCertificates;
import io.busbar.admission.certificates.ServingCertificate;
import io.busbar.runtime.options.MetricsOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.List;
import java.util.Set;

/**
 * What makes a server one for HTTPS, and reads its certificate again and again.
 *
 * <p>Any context.
 *
 * @param first what was read first
 * @param deployment of what reads, to be undeployed with the server's end
 */
record SecureServer(
        MetricsOptions options, CertificateWatch certificates, ServingCertificate first, String deployment) {

    private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

    /**
     * Fails when there is no certificate.
     *
     * @param name of what is served, in metrics
     */
    static Future<SecureServer> create(Vertx vertx, MetricsOptions options, String name, MeterRegistry meters) {
        CertificateWatch certificates = new CertificateWatch(source(options), name, meters);
        return vertx.deployVerticle(certificates, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER))
                .map(deployed -> new SecureServer(options, certificates, certificates.current(), deployed));
    }

    HttpServerOptions secured(HttpServerOptions plain) {
        return plain.setSsl(true)
                .setUseAlpn(options.http2())
                .setEnabledSecureTransportProtocols(PROTOCOLS)
                .setKeyCertOptions(first.keyCertOptions());
    }

    /** Has a server that listens show each new certificate. */
    Future<Void> reload(HttpServer server) {
        return certificates.listen(new CertificateReload(read -> serve(server, read), first));
    }

    private Future<Boolean> serve(HttpServer server, ServingCertificate certificate) {
        return server.updateSSLOptions(
                new ServerSSLOptions()
                        .setUseAlpn(options.http2())
                        .setEnabledSecureTransportProtocols(PROTOCOLS)
                        .setKeyCertOptions(certificate.keyCertOptions()),
                true);
    }

    private static CertificateSource source(MetricsOptions options) {
        return options.certificate()
                .<CertificateSource>map(
                        files -> new MountedCertificates(files.folder(), files.chainFile(), files.keyFile()))
                .orElseGet(() -> new EphemeralCertificates(List.of("localhost", "127.0.0.1")));
    }
}
