package io.busbar.admission.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Bodies of reviews. */
public final class Reviews {

    private Reviews() {}

    /** A Pod of 8 KB as an API server sends it. */
    public static String podCreate() {
        try (InputStream in = Reviews.class.getResourceAsStream("/reviews/pod-create.json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A review of any object. */
    public static String create(String object) {
        return """
                {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-1",
                 "kind":{"group":"","version":"v1","kind":"Pod"},"operation":"CREATE","object":%s}}""".formatted(object);
    }
}
