package io.busbar.cel;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An object of a schema: its keys are the names of fields as expressions write them, see {@link FieldNames}.
 *
 * <p>One thread while it is filled, then any.
 */
public class FieldMap extends LinkedHashMap<String, Object> {

    private static final long serialVersionUID = 1;

    /** One without fields. */
    public FieldMap() {}

    /** One with these. */
    public FieldMap(Map<String, Object> fields) {
        super(fields);
    }
}
