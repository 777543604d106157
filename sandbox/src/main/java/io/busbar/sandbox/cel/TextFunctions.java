package io.busbar.sandbox.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import java.util.ArrayList;
import java.util.List;

/** {@code find} and {@code findAll} by regular expressions, and {@code format}. Any thread. */
final class TextFunctions {

    private TextFunctions() {}

    static void addTo(Overloads overloads) {
        overloads.member(
                "find",
                SimpleType.STRING,
                List.of(ParameterKinds.TEXT, ParameterKinds.TEXT),
                arguments -> found(arguments, 1).stream().findFirst().orElse(""));
        overloads.member(
                "findAll",
                ListType.create(SimpleType.STRING),
                List.of(ParameterKinds.TEXT, ParameterKinds.TEXT),
                arguments -> found(arguments, Long.MAX_VALUE));
        overloads.member(
                "findAll",
                ListType.create(SimpleType.STRING),
                List.of(ParameterKinds.TEXT, ParameterKinds.TEXT, ParameterKinds.WHOLE),
                arguments -> found(arguments, (Long) arguments[2] < 0 ? Long.MAX_VALUE : (Long) arguments[2]));
        overloads.global(
                "jsonpatch.escapeKey",
                SimpleType.STRING,
                List.of(ParameterKinds.TEXT),
                arguments -> ((String) arguments[0]).replace("~", "~0").replace("/", "~1"));
        overloads.member(
                "format",
                SimpleType.STRING,
                List.of(ParameterKinds.TEXT, new Overloads.Kind(ListType.create(SimpleType.DYN), List.class)),
                arguments -> TextFormat.format((String) arguments[0], (List<?>) arguments[1]));
    }

    private static List<String> found(Object[] arguments, long most) throws CelEvaluationException {
        try {
            Matcher matcher = Pattern.compile((String) arguments[1]).matcher((String) arguments[0]);
            List<String> found = new ArrayList<>();
            while (found.size() < most && matcher.find()) {
                found.add(matcher.group());
            }
            return found;
        } catch (PatternSyntaxException e) {
            throw new CelEvaluationException("Illegal regex: " + e.getMessage(), e);
        }
    }
}
