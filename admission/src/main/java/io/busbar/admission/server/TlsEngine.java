package io.busbar.admission.server;

import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;

/** What encrypts the connections of webhooks. */
final class TlsEngine {

    private TlsEngine() {}

    /**
     * BoringSSL on Linux, which needs a fraction of the time of the JDK: much of that is made by the optimising compiler
     * alone, without which operators are deployed. The JDK where that cannot be loaded, as on other systems, or where
     * files in the folder for temporary ones may not be run. What it computes at the beginning of a connection is done
     * by worker threads.
     *
     * <p>Blocks, when it is asked first.
     */
    static SSLEngineOptions fastest() {
        SSLEngineOptions engine =
                OpenSSLEngineOptions.isAvailable() ? new OpenSSLEngineOptions() : new JdkSSLEngineOptions();
        return engine.setUseWorkerThread(true);
    }
}
