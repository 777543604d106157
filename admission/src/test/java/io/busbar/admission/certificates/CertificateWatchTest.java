package io.busbar.admission.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.common.guard.Faults;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CertificateWatchTest {

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final BlockingQueue<ServingCertificate> told = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    /** Gives a certificate, but throws at its second and third read. */
    private static final class FailingSource implements CertificateSource {

        private final CertificateSource good = new EphemeralCertificates(List.of("localhost"));
        private final AtomicInteger reads = new AtomicInteger();
        private final @Nullable Throwable thrown;

        FailingSource(@Nullable Throwable thrown) {
            this.thrown = thrown;
        }

        @Override
        public ServingCertificate read() throws CertificateUnavailableException {
            int read = reads.incrementAndGet();
            Faults.raise(read == 2 || read == 3 ? thrown : null);
            return good.read();
        }

        @Override
        public Duration interval() {
            return Duration.ofMillis(1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void reads_on_whatever_the_source_throws(Throwable thrown) throws Exception {
        CertificateWatch watch = deployed(new FailingSource(thrown));
        watch.listen(told::add).await(60, TimeUnit.SECONDS);

        assertThat(next()).as("as it listens").isNotNull();
        assertThat(next()).as("after the reads that failed").isNotNull();
        assertThat(panics()).isEqualTo(2);
        assertThat(meters.get("certwatcher.read.certificate.errors").counter().count())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("io.busbar.common.guard.Faults#all")
    void tells_the_others_whatever_a_listener_throws(Throwable thrown) throws Exception {
        CertificateWatch watch = deployed(new FailingSource(null));
        assertThatThrownBy(
                        () -> watch.listen(certificate -> Faults.raise(thrown)).await(60, TimeUnit.SECONDS))
                .isSameAs(thrown);
        watch.listen(told::add).await(60, TimeUnit.SECONDS);

        assertThat(next()).isNotNull();
        assertThat(next()).isNotNull();
        assertThat(next()).isNotNull();
        assertThat(panics()).isPositive();
    }

    private CertificateWatch deployed(CertificateSource source) throws Exception {
        CertificateWatch watch = new CertificateWatch(source, "webhook", meters);
        vertx.deployVerticle(watch, new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER))
                .await(60, TimeUnit.SECONDS);
        return watch;
    }

    private @Nullable ServingCertificate next() throws InterruptedException {
        return told.poll(60, TimeUnit.SECONDS);
    }

    private double panics() {
        return meters.get("busbar_panics")
                .tag("place", "certificates")
                .counter()
                .count();
    }
}
