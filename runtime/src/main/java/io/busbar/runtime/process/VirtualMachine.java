package io.busbar.runtime.process;

import java.util.List;
import java.util.Properties;

/**
 * Properties of the Java virtual machine and its libraries that are right for this program. Those that somebody has set
 * stay as they are.
 *
 * <p>To be settled before anything else: the JDK reads them when it first needs them, and never again.
 */
public final class VirtualMachine {

    static final String COMMON_POOL = "java.util.concurrent.ForkJoinPool.common.parallelism";
    static final String KEY_STORE_ROUNDS = "keystore.pkcs12.keyPbeIterationCount";
    static final String NO_RESOLVER = "vertx.disableDnsResolver";
    static final String NO_FILES_OF_THE_JAR = "vertx.disableFileCPResolving";
    static final String LOGGING = "java.util.logging.config.class";
    static final String LOGGING_FILE = "java.util.logging.config.file";
    static final List<String> CIPHER_SUITES = List.of("jdk.tls.client.cipherSuites", "jdk.tls.server.cipherSuites");

    /** All with forward secrecy and authenticated encryption that Go and the JDK both know. */
    private static final List<String> CHACHA_FIRST = List.of(
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");

    private VirtualMachine() {}

    public static void settle() {
        settle(System.getProperties(), Runtime.getRuntime().availableProcessors(), hasSecondCompiler());
    }

    static void settle(Properties properties, int processors, boolean secondCompiler) {
        // Netty and fabric8 keep keys in stores that never leave the memory; ten thousand rounds a key are for files.
        properties.putIfAbsent(KEY_STORE_ROUNDS, "1");
        // Names are resolved as the JDK does for the client of the API server, without a second resolver to load.
        properties.putIfAbsent(NO_RESOLVER, "true");
        // No file is asked for that is in the jar; the directory for copies of such files would outlive a kill.
        properties.putIfAbsent(NO_FILES_OF_THE_JAR, "true");
        if (!properties.containsKey(LOGGING_FILE)) {
            properties.putIfAbsent(LOGGING, JdkLogging.class.getName());
        }
        if (processors <= 2) {
            // With less, CompletableFuture starts a thread for each answer of the JDK's HTTP client.
            properties.putIfAbsent(COMMON_POOL, "2");
        }
        if (!secondCompiler) {
            // The processor does AES in code of that compiler alone; ChaCha20 takes a fifth of the time without.
            CIPHER_SUITES.forEach(side -> properties.putIfAbsent(side, String.join(",", CHACHA_FIRST)));
        }
    }

    /** HotSpot names the mode in which it compiles once and plainly; other virtual machines are taken to be fast. */
    private static boolean hasSecondCompiler() {
        return !System.getProperty("java.vm.info", "").contains("emulated-client");
    }
}
