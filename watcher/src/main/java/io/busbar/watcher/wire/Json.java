package io.busbar.watcher.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;

/** How JSON is read and written here. Any thread. */
final class Json {

    /** Nothing between one object and the next; names are shared within a response, not in the JVM's table of strings. */
    static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .rootValueSeparator("")
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private Json() {}
}
