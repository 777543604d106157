package io.busbar.bench;

/** The JVM that all run on. */
final class Java {

    static final String COMMAND = ProcessHandle.current().info().command().orElse("java");

    private Java() {}
}
