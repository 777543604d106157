package io.busbar.operator.mysqlcluster.objects;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that lie beside a class. Pure; any thread. */
public final class Texts {

    private Texts() {}

    static String read(String name) {
        return beside(Texts.class, name);
    }

    /** The whole text, as UTF-8. */
    public static String beside(Class<?> type, String name) {
        try (InputStream stream = type.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
