package io.busbar.common.internal.command;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.encoder.Encoder;
import com.fasterxml.jackson.core.JsonGenerator;
import io.busbar.common.guard.Thrown;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import net.logstash.logback.composite.AbstractJsonProvider;
import net.logstash.logback.decorate.EscapeNonAsciiJsonFactoryDecorator;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.fieldnames.LogstashFieldNames;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Log lines that are one JSON object each, with the member names of controller-runtime's: {@code ts}, {@code level},
 * {@code logger}, {@code msg}, {@code thread}, {@code stacktrace}, and the keys of the line and of its context.
 *
 * <p>No member comes twice, and no value is lost to what a JSON mapper thinks of it: numbers and booleans are what they
 * are, durations are seconds, all else is text. Lines are ASCII, so no reader takes a character of a text for the end
 * of a line, and half a surrogate pair is no error.
 */
final class JsonLines {

    private static final Set<String> OF_EACH_LINE =
            Set.of("ts", "level", "logger", "msg", "thread", "stacktrace", "tags");

    private JsonLines() {}

    /** Returns one that was started. */
    static Encoder<ILoggingEvent> encoder(Context context) {
        LogstashFieldNames names = new LogstashFieldNames();
        names.setTimestamp("ts");
        names.setLevel("level");
        names.setLogger("logger");
        names.setMessage("msg");
        names.setStackTrace("stacktrace");
        names.setThread("thread");
        names.setLevelValue("[ignore]");
        names.setVersion("[ignore]");
        LogstashEncoder encoder = new LogstashEncoder();
        encoder.setContext(context);
        encoder.setFieldNames(names);
        encoder.setTimeZone("UTC");
        encoder.setJsonFactoryDecorator(new EscapeNonAsciiJsonFactoryDecorator());
        encoder.setIncludeMdc(false);
        encoder.setIncludeKeyValuePairs(false);
        encoder.setIncludeStructuredArguments(false);
        encoder.addProvider(new Keys());
        encoder.start();
        return encoder;
    }

    /** The keys of a line come before the same of its context; one that each line has otherwise gets an underscore. */
    private static final class Keys extends AbstractJsonProvider<ILoggingEvent> {

        @Override
        public void writeTo(JsonGenerator generator, ILoggingEvent event) throws IOException {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            event.getMDCPropertyMap().forEach((key, value) -> values.put(member(key), value));
            for (KeyValuePair pair : Objects.requireNonNullElse(event.getKeyValuePairs(), List.<KeyValuePair>of())) {
                values.put(member(pair.key), pair.value);
            }
            for (Map.Entry<String, @Nullable Object> value : values.entrySet()) {
                generator.writeFieldName(value.getKey());
                write(generator, value.getValue());
            }
        }

        private static String member(@Nullable String key) {
            String name = String.valueOf(key);
            return OF_EACH_LINE.contains(name) ? name + '_' : name;
        }

        private static void write(JsonGenerator generator, @Nullable Object value) throws IOException {
            if (value instanceof Number || value instanceof Boolean) {
                generator.writePOJO(value);
            } else if (value instanceof Duration duration) {
                generator.writeNumber(duration.getSeconds() + duration.getNano() / 1e9);
            } else {
                generator.writeString(text(value));
            }
        }

        private static @Nullable String text(@Nullable Object value) {
            try {
                return value == null ? null : value.toString();
            } catch (RuntimeException unreadable) { // the rest of the line is worth having
                return value.getClass().getName() + ": " + Thrown.text(unreadable);
            }
        }
    }
}
