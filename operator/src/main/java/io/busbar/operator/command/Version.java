package io.busbar.operator.command;

import picocli.CommandLine.IVersionProvider;

/** What {@code busbar version} prints. Immutable. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {
            "busbar " + ofBusbar(),
            "java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
        };
    }

    /** As in the jar's manifest; {@code dev} when run from class files. */
    static String ofBusbar() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }
}
