package io.busbar.sandbox.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import io.busbar.sandbox.cel.Overloads.Kind;
import java.util.List;

/** The types of parameters that many functions have. Immutable. */
final class ParameterKinds {

    static final TypeParamType ELEMENT = TypeParamType.create("T");

    static final Kind TEXT = new Kind(SimpleType.STRING, String.class);
    static final Kind WHOLE = new Kind(SimpleType.INT, Long.class);
    static final Kind ANYTHING = new Kind(ELEMENT, Object.class);
    static final Kind LIST = new Kind(ListType.create(ELEMENT), List.class);

    private ParameterKinds() {}
}
