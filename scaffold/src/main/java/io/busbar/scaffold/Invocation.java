package io.busbar.scaffold;

/**
 * How people have called the scaffold, and so how they are told of flags and of what comes next.
 *
 * <p>Immutable.
 */
public enum Invocation {
    /** {@code java -jar busbar.jar create api --kind=Crate}. */
    JAR("--", "java -jar busbar.jar "),
    /** {@code mvn busbar:create-api -Dkind=Crate}. */
    MAVEN("-D", "mvn busbar:");

    private final String flagPrefix;
    private final String commandPrefix;

    Invocation(String flagPrefix, String commandPrefix) {
        this.flagPrefix = flagPrefix;
        this.commandPrefix = commandPrefix;
    }

    /** As people write it before {@code =}. */
    public String flag(String name) {
        return flagPrefix + name;
    }

    /**
     * A command as people would type it.
     *
     * @param words such as {@code create api}
     * @param flags such as {@code kind=Crate}, without what stands before
     */
    public String command(String words, String... flags) {
        StringBuilder command = new StringBuilder(commandPrefix);
        command.append(this == MAVEN ? words.replace(' ', '-') : words);
        for (String flag : flags) {
            command.append(' ').append(flagPrefix).append(flag);
        }
        return command.toString();
    }
}
