package io.busbar.charts.render;

import java.util.regex.Pattern;

/**
 * Changes texts of templates so that they can be rendered without a cluster.
 *
 * <p>The engine is a library that renders as {@code helm template} does, but for two things. It leaves out objects with
 * annotations that make them hooks: these annotations are written otherwise, and written back in what was rendered. And
 * its {@code lookup} asks whatever cluster the process is configured for: each call is written as another one, which
 * finds nothing and asks nobody.
 *
 * <p>Any thread.
 */
final class TemplateText {

    private static final String HOOK = "helm.sh/hook";
    private static final String DISGUISED = "hooks.charts.busbar.io/hook";
    private static final String LOOKUP = "lookup";
    /** Of an empty map those members that are named: with the four texts that lookup takes, an empty map. */
    private static final String NOTHING_FOUND = "pick (dict)";

    /** Functions, or the beginnings of their names, that come to something else each time. */
    private static final Pattern MADE_UP = Pattern.compile(
            "\\b(rand|gen|uuidv4|now\\b|ago\\b|date|htmlDate|bcrypt|htpasswd|encryptAES|shuffle|getHostByName)");

    private TemplateText() {}

    /** Whether it may come to something else each time that it is rendered. */
    static boolean mayMakeUp(String text) {
        return MADE_UP.matcher(text).find();
    }

    /** To be rendered. */
    static String prepared(String text) {
        return withoutLookup(text.replace(HOOK, DISGUISED));
    }

    /** What was rendered, as it was meant. */
    static String restored(String text) {
        return text.replace(DISGUISED, HOOK);
    }

    /** Looks into actions alone, and there into neither texts nor comments. */
    private static String withoutLookup(String text) {
        if (!text.contains(LOOKUP)) {
            return text;
        }
        StringBuilder changed = new StringBuilder(text.length() + 64);
        int at = 0;
        while (at < text.length()) {
            int begin = text.indexOf("{{", at);
            if (begin < 0) {
                break;
            }
            changed.append(text, at, begin);
            at = action(text, begin, changed);
        }
        return changed.append(text, Math.min(at, text.length()), text.length()).toString();
    }

    /** @return where the action that begins there ends */
    private static int action(String text, int begin, StringBuilder changed) {
        int at = begin;
        while (at < text.length()) {
            char next = text.charAt(at);
            int end;
            if (text.startsWith("}}", at)) {
                changed.append("}}");
                return at + 2;
            }
            if (text.startsWith("/*", at)) {
                int close = text.indexOf("*/", at);
                end = close < 0 ? text.length() : close + 2;
            } else if (next == '"' || next == '`') {
                end = quoted(text, at);
            } else if (isWord(next)) {
                end = at;
                while (end < text.length() && isWord(text.charAt(end))) {
                    end++;
                }
                char before = at == 0 ? ' ' : text.charAt(at - 1);
                if (text.substring(at, end).equals(LOOKUP) && before != '.' && before != '$') {
                    changed.append(NOTHING_FOUND);
                    at = end;
                    continue;
                }
            } else {
                end = at + 1;
            }
            changed.append(text, at, end);
            at = end;
        }
        return at;
    }

    private static int quoted(String text, int begin) {
        char quote = text.charAt(begin);
        int at = begin + 1;
        while (at < text.length() && text.charAt(at) != quote) {
            at += quote == '"' && text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, text.length());
    }

    private static boolean isWord(char letter) {
        return letter == '_' || Character.isLetterOrDigit(letter);
    }
}
