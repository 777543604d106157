package io.busbar.admission.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.busbar.common.internal.certificate.CertificateIssuer;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CertificateRenewalTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration SETTLED = CertificateRenewal.SETTLED;

    private final CertificateRenewal renewal =
            new CertificateRenewal(new CertificateIssuer("busbar webhook"), List.of("web.ns.svc", "127.0.0.1", "::1"));

    @Test
    void makes_a_ca_and_a_serving_certificate_that_it_vouches_for() throws Exception {
        StoredCertificates made = renewal.next(null, START);

        assertTrusted(made, START);
        assertThat(made.serving().getSubjectAlternativeNames())
                .extracting(name -> String.valueOf(name.get(1)))
                .containsExactlyInAnyOrder("web.ns.svc", "127.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(made.serving().getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(made.serving().getBasicConstraints()).isEqualTo(-1);
        assertThat(made.authority().getBasicConstraints()).isZero();
        assertThat(made.authority().getKeyUsage()).startsWith(false, false, false, false, false, true, true);
        assertThat(made.serving().getNotAfter()).isEqualTo(Date.from(START.plus(Duration.ofDays(365))));
        assertThat(made.authority().getNotAfter()).isEqualTo(Date.from(START.plus(Duration.ofDays(3650))));
    }

    @Test
    void leaves_alone_what_is_not_due() {
        StoredCertificates made = renewal.next(null, START);

        assertThat(renewal.next(made, START.plus(Duration.ofDays(243)))).isEqualTo(made);
    }

    @Test
    void renews_the_serving_certificate_at_two_thirds_of_its_life() throws Exception {
        StoredCertificates made = renewal.next(null, START);
        Instant later = START.plus(Duration.ofDays(244));
        StoredCertificates next = renewal.next(made, later);

        assertThat(next.serving()).isNotEqualTo(made.serving());
        assertThat(next.authorities()).isEqualTo(made.authorities());
        assertTrusted(next, later);
    }

    @Test
    void renews_the_serving_certificate_when_the_names_change() {
        StoredCertificates made = renewal.next(null, START);
        CertificateRenewal renamed =
                new CertificateRenewal(new CertificateIssuer("busbar webhook"), List.of("other.ns.svc"));

        assertThat(renamed.next(made, START).serving()).isNotEqualTo(made.serving());
        assertThat(renamed.next(made, START).authorities()).isEqualTo(made.authorities());
    }

    @Test
    void takes_other_spellings_of_a_name_for_the_same() {
        StoredCertificates made = renewal.next(null, START);
        CertificateRenewal respelled = new CertificateRenewal(
                new CertificateIssuer("busbar webhook"), List.of("WEB.ns.svc", "0:0::1", "127.0.0.1"));

        assertThat(respelled.next(made, START)).isEqualTo(made);
    }

    @Test
    void replaces_the_ca_in_steps_each_of_which_every_bundle_in_use_trusts() throws Exception {
        StoredCertificates old = renewal.next(null, START);
        Instant due =
                START.plus(CertificateRenewal.AUTHORITY_LIFE.multipliedBy(2).dividedBy(3));
        // A year's renewal has come shortly before, so that only the CA is due.
        StoredCertificates renewed = renewal.next(old, due.minus(Duration.ofDays(1)));

        StoredCertificates published = renewal.next(renewed, due);
        assertThat(published.authorities()).hasSize(2).endsWith(old.authority());
        assertThat(published.serving()).isEqualTo(renewed.serving());
        assertTrusted(published, due);

        Instant known = due.plus(SETTLED);
        assertThat(renewal.next(published, known.minusSeconds(1))).isEqualTo(published);
        StoredCertificates switched = renewal.next(published, known);
        assertThat(switched.serving()).isNotEqualTo(renewed.serving());
        switched.serving().verify(switched.authority().getPublicKey());
        assertThat(switched.authorities()).isEqualTo(published.authorities());

        Instant done = known.plus(SETTLED);
        assertThat(renewal.next(switched, done.minusSeconds(1))).isEqualTo(switched);
        StoredCertificates settled = renewal.next(switched, done);
        assertThat(settled.authorities()).containsExactly(switched.authority());
        assertThat(settled.serving()).isEqualTo(switched.serving());
        assertTrusted(settled, done);
    }

    @Test
    void begins_anew_when_the_ca_has_expired() throws Exception {
        StoredCertificates old = renewal.next(null, START);
        Instant after = START.plus(CertificateRenewal.AUTHORITY_LIFE).plusSeconds(1);
        StoredCertificates next = renewal.next(old, after);

        assertThat(next.authorities()).hasSize(1).doesNotContain(old.authority());
        assertTrusted(next, after);
    }

    @Test
    void issues_certificates_that_end_after_2049() {
        Instant late = Instant.parse("2049-06-01T00:00:00Z");

        assertThatCode(() -> assertTrusted(renewal.next(null, late), late)).doesNotThrowAnyException();
    }

    private static void assertTrusted(StoredCertificates stored, Instant when) throws Exception {
        Set<TrustAnchor> anchors = stored.authorities().stream()
                .map(authority -> new TrustAnchor(authority, null))
                .collect(Collectors.toSet());
        PKIXParameters parameters = new PKIXParameters(anchors);
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(when));
        List<X509Certificate> path = List.of(stored.serving());
        CertPathValidator.getInstance("PKIX")
                .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
    }
}
