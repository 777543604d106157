package io.busbar.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.runtime.CelEvaluationException;
import java.util.ArrayList;
import java.util.List;

/** {@code find} and {@code findAll} by regular expressions, and {@code format}. Any thread. */
final class TextFunctions {

    private TextFunctions() {}

    static void addTo(KubernetesLibrary overloads) {
        overloads.member(
                "string find(string, string)",
                (String text, String pattern) ->
                        found(text, pattern, 1).stream().findFirst().orElse(""));
        overloads.member(
                "list(string) findAll(string, string)",
                (String text, String pattern) -> found(text, pattern, Long.MAX_VALUE));
        overloads.member(
                "list(string) findAll(string, string, int)",
                (String text, String pattern, Long most) -> found(text, pattern, most < 0 ? Long.MAX_VALUE : most));
        overloads.global(
                "string jsonpatch.escapeKey(string)",
                (String key) -> key.replace("~", "~0").replace("/", "~1"));
        overloads.member("string format(string, list(dyn))", TextFormat::format);
    }

    private static List<String> found(String text, String pattern, long most) throws CelEvaluationException {
        try {
            Matcher matcher = Pattern.compile(pattern).matcher(text);
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
