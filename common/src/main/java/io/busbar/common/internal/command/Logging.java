package io.busbar.common.internal.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/**
 * Sets up Logback: one appender on standard error. Until a command says otherwise, for warnings in text.
 *
 * <p>Any thread.
 */
public final class Logging {

    private static final String CHOICE = Logging.class.getName();
    private static final String PATTERN = "%d{HH:mm:ss.SSS} %highlight(%-5level) %-22logger{0} %msg %kvp{NONE} %mdc%n";
    private static final String PLAIN_PATTERN = "%d{HH:mm:ss.SSS} %-5level %-22logger{0} %msg %kvp{NONE} %mdc%n";

    /**
     * Warnings that no user can act on: v1alpha1 is what OpenKruise calls the kind's version; Vert.x registers its
     * gauges of handlers and pending messages for each address, which are no labels of ours, and adds all of them up in
     * the first, so that nothing is lost; a change on its way to a consumer that a stop has closed is dropped, and the
     * next start lists all.
     */
    private static final List<String> QUIET = List.of(
            "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils",
            "io.micrometer.core.instrument.MeterRegistry",
            "io.vertx.core.eventbus.impl.MessageConsumerImpl");

    private static final String OWN = "io.busbar";

    /** Libraries that are renamed in the sandbox's own jar, where their names begin as ours do. */
    private static final List<String> LIBRARIES = List.of("io.vertx", "io.netty");

    private static volatile Choice chosen = new Choice(org.slf4j.event.Level.WARN, Format.TEXT, Set.of(OWN));

    /** How a line is written. */
    public enum Format {
        /** For a terminal. */
        TEXT,
        /** An object for a machine to read. */
        JSON
    }

    private Logging() {}

    /** What a command wants. */
    private record Choice(org.slf4j.event.Level level, Format format, Set<String> packages) {}

    /**
     * Takes effect for the whole JVM.
     *
     * @param level of what is logged; of libraries, only warnings are
     * @param packages that are no library's, beside those of Busbar
     */
    public static void configure(org.slf4j.event.Level level, Format format, Set<String> packages) {
        Set<String> all = new HashSet<>(packages);
        all.add(OWN);
        Choice choice = new Choice(level, format, all);
        chosen = choice;
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        if (context.getObject(CHOICE) != choice) {
            context.reset();
            apply(choice, context);
        }
    }

    /** Whether each line is an object for a machine to read, as opposed to text for a terminal. */
    public static boolean isJson() {
        return chosen.format() == Format.JSON;
    }

    private static void apply(Choice choice, LoggerContext context) {
        Encoder<ILoggingEvent> encoder = choice.format() == Format.JSON ? JsonLines.encoder(context) : text(context);
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        root.setLevel(Level.WARN);
        choice.packages()
                .forEach(name -> context.getLogger(name)
                        .setLevel(Level.toLevel(choice.level().name())));
        LIBRARIES.forEach(name -> context.getLogger(name).setLevel(Level.WARN));
        QUIET.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
        context.putObject(CHOICE, choice);
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(CommandLine.Help.Ansi.AUTO.enabled() ? PATTERN : PLAIN_PATTERN);
        encoder.start();
        return encoder;
    }

    /** Logback looks for it when the first logger is made, in place of files that would configure it. */
    public static final class AtStart extends ContextAwareBase implements Configurator {

        @Override
        public ExecutionStatus configure(LoggerContext context) {
            apply(chosen, context);
            return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
        }
    }
}
