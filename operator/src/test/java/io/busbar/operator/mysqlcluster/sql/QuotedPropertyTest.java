package io.busbar.operator.mysqlcluster.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Quoting held against a reader of statements that does what the manuals say of a session whose {@code sql_mode} is
 * empty: whatever a value holds, it stays one value, and the same.
 */
class QuotedPropertyTest {

    private static final String SEED = "20261128";

    @Provide
    Arbitrary<String> hostile() {
        Arbitrary<String> special = Arbitraries.of(
                "'",
                "''",
                "\"",
                "`",
                "``",
                "\\",
                "\\'",
                "\\\\",
                "%",
                "_",
                "\\_",
                "\\%",
                "*",
                ".",
                "@",
                ";",
                "--",
                "/*",
                "*/",
                "#",
                " ",
                "\n",
                "\r",
                "\t",
                "\0",
                "\u001a",
                "n",
                "ä",
                "€",
                "\uFFFD",
                "\uD83D\uDE00",
                "'; DROP DATABASE x; --",
                "`.* TO x; --");
        Arbitrary<String> any = Arbitraries.strings().ofMaxLength(3);
        return Arbitraries.oneOf(special, any).list().ofMaxSize(8).map(parts -> String.join("", parts));
    }

    @Property(seed = SEED)
    void a_literal_is_one_text_and_the_same(@ForAll("hostile") String value) {
        assertThat(read("SELECT " + Quoted.literal(value) + " AS it")).containsExactly(value);
    }

    @Property(seed = SEED)
    void a_name_is_one_name_and_the_same(@ForAll("hostile") String value) {
        assertThat(read("DROP DATABASE " + Quoted.name(value) + " ")).containsExactly(value);
    }

    @Property(seed = SEED)
    void an_account_is_a_user_and_a_host(@ForAll("hostile") String user, @ForAll("hostile") String host) {
        assertThat(read("DROP USER " + Quoted.account(new AccountName(user, host)) + " "))
                .containsExactly(user, host);
    }

    @Property(seed = SEED)
    void a_pattern_fits_its_own_name_and_no_other(@ForAll("hostile") String name, @ForAll("hostile") String other) {
        Pattern pattern = pattern(Quoted.pattern(name));
        assertThat(pattern.matcher(name).matches()).isTrue();
        assertThat(pattern.matcher(other).matches()).isEqualTo(other.equals(name));
        assertThat(read("ON " + Quoted.name(Quoted.pattern(name)) + ".* ")).containsExactly(Quoted.pattern(name));
    }

    @Example
    void the_reader_is_misled_by_what_is_not_quoted() {
        assertThat(read("SELECT 'it's'")).isNotEqualTo(List.of("it's"));
        assertThat(pattern("my_app").matcher("myXapp").matches()).isTrue();
    }

    /** The texts and names in a statement; what is outside of them must hold nothing of theirs. */
    private static List<String> read(String sql) {
        List<String> found = new ArrayList<>();
        int i = 0;
        while (i < sql.length()) {
            char quote = sql.charAt(i);
            if (quote != '\'' && quote != '`') {
                if ("\"\\;#\0".indexOf(quote) >= 0) {
                    found.add("outside: " + quote);
                }
                i++;
                continue;
            }
            StringBuilder text = new StringBuilder();
            i++;
            while (i < sql.length()) {
                char next = sql.charAt(i);
                if (next == quote && i + 1 < sql.length() && sql.charAt(i + 1) == quote) {
                    text.append(quote);
                    i += 2;
                } else if (next == quote) {
                    break;
                } else if (next == '\\' && quote == '\'') {
                    text.append(unescaped(sql.charAt(i + 1)));
                    i += 2;
                } else {
                    text.append(next);
                    i++;
                }
            }
            found.add(i < sql.length() ? text.toString() : "never ends");
            i++;
        }
        return found;
    }

    private static char unescaped(char escaped) {
        return switch (escaped) {
            case '0' -> '\0';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'Z' -> '\u001a';
            default -> escaped;
        };
    }

    /** As rights in databases are read. */
    private static Pattern pattern(String text) {
        StringBuilder regex = new StringBuilder();
        boolean isEscaped = false;
        for (int next : text.codePoints().toArray()) {
            if (next == '\\' && !isEscaped) {
                isEscaped = true;
                continue;
            }
            if (isEscaped || (next != '_' && next != '%')) {
                regex.append(Pattern.quote(Character.toString(next)));
            } else {
                regex.append(next == '_' ? "." : ".*");
            }
            isEscaped = false;
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }
}
