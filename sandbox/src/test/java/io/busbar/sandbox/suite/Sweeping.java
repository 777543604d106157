package io.busbar.sandbox.suite;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Deletes after each case of the suite what it made, however it ended, and after the last one waits until the server is
 * as clean as before. JUnit finds it by itself, so that no class of the suite can forget it; the other tests of the
 * module are left alone.
 */
public final class Sweeping implements AfterEachCallback {

    @Override
    public void afterEach(ExtensionContext context) {
        if (context.getRequiredTestClass().getPackage().equals(Sweeping.class.getPackage())) {
            context.getRoot()
                    .getStore(Namespace.create(Sweeping.class))
                    .computeIfAbsent("end", key -> (AutoCloseable) Server::awaitNoTraces, AutoCloseable.class);
            Server.sweep();
        }
    }
}
