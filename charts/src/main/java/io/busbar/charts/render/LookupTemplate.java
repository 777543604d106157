package io.busbar.charts.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The template that answers in place of {@code lookup}, by what is known beforehand. Asked for something else it ends
 * the rendering with what that is, so that it can be found, and the chart be rendered again.
 *
 * <p>Any thread.
 */
final class LookupTemplate {

    /** Among templates, within a chart. */
    static final String FILE = "templates/_busbar_lookup.tpl";

    private static final String NAME = "busbar.lookup";
    private static final Pattern UNKNOWN = Pattern.compile(Pattern.quote(NAME) + "\\(([A-Za-z0-9+/=]+)\\)");

    private static final String TEXT = """
            {{- define "%s" -}}
            {{- $known := dict %s -}}
            {{- $asked := list -}}
            {{- range . }}{{ $asked = append $asked (. | default "") }}{{ end -}}
            {{- $key := printf "%%v\\n%%v\\n%%v\\n%%v" (index $asked 0) (index $asked 1) (index $asked 2) (index $asked 3) | b64enc -}}
            {{- if hasKey $known $key }}{{ get $known $key | b64dec }}{{ else }}{{ fail (printf "%s(%%s)" $key) }}{{ end -}}
            {{- end -}}
            """;

    private LookupTemplate() {}

    /** An expression with the value that lookup has with these four operands. */
    static String call(String operands) {
        return "(fromJson (include \"" + NAME + "\" (list " + operands + ")))";
    }

    /** @param answers that are known; where one is empty there is no such object */
    static String text(Map<Lookup, Optional<JsonNode>> answers) {
        StringBuilder known = new StringBuilder();
        answers.forEach((asked, answer) -> known.append('"')
                .append(asked.key())
                .append("\" \"")
                .append(Base64.getEncoder()
                        .encodeToString(
                                answer.map(JsonNode::toString).orElse("{}").getBytes(UTF_8)))
                .append("\" "));
        return TEXT.formatted(NAME, known, NAME);
    }

    /** What a rendering that has failed had no answer to, if it failed for that. */
    static Optional<Lookup> unknown(RenderFailedException failed) {
        Matcher asked = UNKNOWN.matcher(String.valueOf(failed.getMessage()));
        return asked.find() ? Optional.of(Lookup.of(asked.group(1))) : Optional.empty();
    }
}
