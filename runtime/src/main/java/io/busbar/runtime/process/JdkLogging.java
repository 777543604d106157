package io.busbar.runtime.process;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Has what the JDK and some libraries log through {@code java.util.logging} come out with all other log lines, in the
 * same format.
 *
 * <p>Public for the JDK, which makes one when it needs its first logger: a start that logs nothing in this way need not
 * load it. Any thread.
 */
public final class JdkLogging {

    /**
     * Takes effect for the whole JVM.
     *
     * @throws IOException never: what is read is in memory
     */
    public JdkLogging() throws IOException {
        String settings = "handlers=" + SLF4JBridgeHandler.class.getName();
        LogManager.getLogManager()
                .readConfiguration(new ByteArrayInputStream(settings.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
