package io.busbar.admission.certificates;

import io.busbar.common.guard.Guard;
import io.busbar.common.guard.Thrown;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a {@link CertificateSource} again and again, and tells listeners. A bad read keeps the last good certificate,
 * whatever source and listeners throw.
 *
 * <p>To be deployed as a worker verticle, one instance; deployment fails when the first read does. Its methods may be
 * called on any thread. Metrics: certwatcher_read_certificate_total and …_errors_total as controller-runtime has them,
 * and certwatcher_certificate_expiry_timestamp_seconds for each server.
 */
public final class CertificateWatch extends VerticleBase {

    private static final Logger log = LoggerFactory.getLogger(CertificateWatch.class);

    /** Milliseconds between reads where the source does not say. */
    private static final long DEFAULT_INTERVAL = 10_000;

    private final CertificateSource source;
    private final String server;
    private final List<CertificateListener> listeners = new CopyOnWriteArrayList<>();
    private final MeterRegistry registry;
    private final Guard guard;
    private final Gauge expiry;
    private final Counter reads;
    private final Counter failures;
    private volatile @Nullable ServingCertificate current;
    private @Nullable String lastComplaint;

    /**
     * @param server that is served with the certificate, for people
     */
    public CertificateWatch(CertificateSource source, String server, MeterRegistry registry) {
        this.source = source;
        this.server = server;
        this.reads = counter("certwatcher.read.certificate", "Reads of certificates.", registry);
        this.failures = counter("certwatcher.read.certificate.errors", "Reads that found none.", registry);
        this.registry = registry;
        this.guard = new Guard("certificates", registry);
        this.expiry = Gauge.builder(
                        "certwatcher.certificate.expiry.timestamp.seconds", this, CertificateWatch::expirySeconds)
                .description("When the serving certificate ends, in seconds since 1970.")
                .tag("server", server)
                .strongReference(true)
                .register(registry);
    }

    /** Of all servers together, as controller-runtime counts. */
    private static Counter counter(String name, String description, MeterRegistry registry) {
        return Counter.builder(name).description(description).register(registry);
    }

    @Override
    public Future<?> start() throws CertificateUnavailableException {
        reads.increment();
        current = source.read();
        readLater();
        return Future.succeededFuture();
    }

    @Override
    public Future<?> stop() {
        registry.remove(expiry);
        return Future.succeededFuture();
    }

    /**
     * The last good certificate.
     *
     * @throws IllegalStateException before deployment
     */
    public ServingCertificate current() {
        ServingCertificate certificate = current;
        if (certificate == null) {
            throw new IllegalStateException("not deployed: no certificate was read");
        }
        return certificate;
    }

    /**
     * Tells a listener now, and after each read from now on; one that listens already is told now alone. All are told
     * one after the other.
     *
     * @return completes when it was told first, and fails as it failed; it will be told again all the same
     */
    public Future<Void> listen(CertificateListener listener) {
        Promise<Void> told = Promise.promise();
        Context own = Objects.requireNonNull(context, "not deployed");
        own.runOnContext(now -> {
            if (!listeners.contains(listener)) {
                listeners.add(listener);
            }
            try {
                listener.certificateRead(current());
                told.complete();
            } catch (Throwable thrown) {
                told.fail(thrown);
            }
        });
        return told.future();
    }

    private void readLater() {
        long wait = guard.call(() -> Math.max(1, source.interval().toMillis()), thrown -> DEFAULT_INTERVAL);
        vertx.setTimer(wait, timer -> {
            guard.run(this::read);
            readLater();
        });
    }

    private void read() {
        reads.increment();
        boolean good = false;
        try {
            ServingCertificate read = source.read();
            if (!read.servesAs(current())) {
                log.atInfo()
                        .addKeyValue("server", server)
                        .addKeyValue("expiry", read.expiry())
                        .log("Certificate replaced");
            }
            current = read;
            good = true;
            lastComplaint = null;
            listeners.forEach(listener -> tell(listener, read));
        } catch (CertificateUnavailableException | KubernetesClientException e) {
            complain(Thrown.messageOrText(e));
        } finally {
            if (!good) {
                failures.increment();
            }
        }
    }

    private void tell(CertificateListener listener, ServingCertificate certificate) {
        try {
            listener.certificateRead(certificate);
        } catch (KubernetesClientException e) {
            log.atWarn()
                    .addKeyValue("server", server)
                    .setCause(Thrown.loggable(e))
                    .log("Taking over the certificate failed, will retry");
        } catch (Throwable thrown) {
            guard.caught(thrown, Map.of("server", server));
        }
    }

    /** Once for each reason: a read fails every few seconds until somebody acts. */
    private void complain(String reason) {
        if (!reason.equals(lastComplaint)) {
            lastComplaint = reason;
            log.atWarn()
                    .addKeyValue("server", server)
                    .addKeyValue("reason", reason)
                    .addKeyValue("expiry", current().expiry())
                    .log("Certificate unreadable, keeping the last good one");
        }
    }

    private double expirySeconds() {
        ServingCertificate certificate = current;
        Instant expiry = certificate == null ? Instant.EPOCH : certificate.expiry();
        return expiry.getEpochSecond();
    }
}
