package io.busbar.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.SimpleType;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What expressions may call, each shown by one that is true. */
class FunctionsTest {

    private static Expression.Outcome evaluate(String text) {
        return new Environment(
                        Dialect.of(new KubernetesLibrary()), new SchemaTypes().provider(), Map.of("x", SimpleType.DYN))
                .compile(text, SimpleType.BOOL, "no bool")
                .evaluate(Map.of("x", 5L), new StepBudget(StepBudget.OF_OBJECT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1, 2, 3].isSorted() && !['b', 'a'].isSorted()",
                "[1, 2, 3].sum() == 6 && [1.5, 2.5].sum() == 4.0",
                "[3, 1, 2].min() == 1 && ['a', 'c'].max() == 'c'",
                "[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(7) == -1",
                "'abc 123'.find('[0-9]+') == '123' && 'abc'.find('[0-9]+') == ''",
                "'1 22 333'.findAll('[0-9]+') == ['1', '22', '333'] && '1 22 333'.findAll('[0-9]+', 2).size() == 2",
                "'%s is %d, %.1f, %x, 100%%'.format(['a', 7, 1.25, 255]) == 'a is 7, 1.2, ff, 100%'",
                "'%s'.format([[1, 'a']]) == '[1, a]'",
                "'%x %X'.format(['hi', b'\\xab']) == '6869 AB'",
                "url('https://user@host.io:8080/a%20b?q=1&q=2').getHost() == 'host.io:8080'",
                "url('https://[::1]:80/').getHostname() == '::1' && url('https://h/').getPort() == ''",
                "url('https://h/a%20b?q=1&q=2').getEscapedPath() == '/a%20b' && url('https://h/?q=1&q=2').getQuery()['q'].size() == 2",
                "isURL('https://h/x') && isURL('/x') && !isURL('x') && url('https://h').getScheme() == 'https'",
                "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('500m').isLessThan(quantity('1'))",
                "quantity('1') == quantity('1000m') && quantity('1k').asInteger() == 1000 && !quantity('1m').isInteger()",
                "quantity('1').add(quantity('500m')).compareTo(quantity('1.5')) == 0 && quantity('5').sub(2) == quantity('3')",
                "isQuantity('1Ki') && !isQuantity('1Kx') && quantity('-1').sign() == -1",
                "'a,b'.split(',').size() == 2 && ' x '.trim() == 'x' && 'abc'.substring(1) == 'bc' && 'AbC'.lowerAscii() == 'abc'",
                "sets.contains([1, 2], [2]) && sets.intersects([1], [1, 2]) && sets.equivalent([1, 2], [2, 1])",
                "optional.of(1).hasValue() && {'a': 1}[?'b'].orValue(2) == 2",
                "cel.bind(a, 2, a + a) == 4 && [5, 6].all(i, v, v == i + 5)",
                "ip('127.0.0.1').isLoopback() && ip('::1').family() == 6 && !isIP('host') && string(ip('10.0.0.1')) == '10.0.0.1'",
                "!isIP('192.168.0.1.0') && !isIP('2001:db8:::68') && !isIP('[::1]') && !isIP('') && !isIP('\uFF11.2.3.4')",
                "!isIP('01.2.3.4') && !isIP('1.2.3.04') && !isIP('::ffff:1.2.3.4') && !isIP('::ffff:102:304') && !isIP('fe80::1%eth0')",
                "ip.isCanonical('127.0.0.1') && ip.isCanonical('2001:db8::68') && !ip.isCanonical('2001:DB8::68')",
                "!ip.isCanonical('2001:db8::0:0:0:abcd') && string(ip('2001:DB8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1'",
                "ip('0.0.0.0').isUnspecified() && !ip('127.0.0.1').isUnspecified() && ip('::').isUnspecified()",
                "!ip('1.2.3.4').isLoopback() && ip('::1').isLoopback() && !ip('2001:db8::abcd').isLoopback()",
                "ip('224.0.0.1').isLinkLocalMulticast() && !ip('224.0.1.1').isLinkLocalMulticast()",
                "ip('ff02::1').isLinkLocalMulticast() && !ip('fd00::1').isLinkLocalMulticast()",
                "ip('169.254.169.254').isLinkLocalUnicast() && !ip('192.168.0.1').isLinkLocalUnicast()",
                "ip('fe80::1').isLinkLocalUnicast() && !ip('fd80::1').isLinkLocalUnicast()",
                "ip('192.168.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast() && !ip('ff00::1').isGlobalUnicast()",
                "ip('::1') == ip('0:0:0:0:0:0:0:1') && ip('1.2.3.4') != ip('::1') && ip('1.2.3.4') in [ip('1.2.3.4')]",
                "string(dyn(ip('::1'))) == '::1' && string(dyn(cidr('::1/8'))) == '::1/8' && string(dyn(2.0)) == '2'",
                "cidr('192.168.0.0/24').containsIP(ip('192.168.0.7')) && !cidr('192.168.0.0/24').containsIP('192.168.1.7')",
                "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')",
                "!cidr('2001:db8::/32').containsCIDR('2001:db8::/31') && cidr('2001:db8::/32').containsIP('2001:db8::1')",
                "!cidr('0.0.0.0/0').containsIP('::1') && cidr('192.168.0.0/16').containsCIDR(cidr('192.168.0.1/32'))",
                "cidr('10.1.2.3/8').prefixLength() == 8 && cidr('10.1.2.3/8').ip() == ip('10.1.2.3') && !isCIDR('10.1.2.3')",
                "!isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0/08') && !isCIDR('::ffff:1.2.3.4/24') && isCIDR('192.168.0.1/16')",
                "string(cidr('2001:DB8::/32')) == '2001:db8::/32' && cidr('10.1.2.3/8') != cidr('10.0.0.0/8')",
                "isSemver('1.2.3-beta.1+build.1') && !isSemver('') && !isSemver('v1.0.0') && !isSemver(' 1.0.0')",
                "!isSemver('1. 0.0') && !isSemver('1.0.0 ') && !isSemver('01.01.01') && !isSemver('1') && !isSemver('1.1')",
                "!isSemver('', true) && !isSemver(' 1.0.0', true) && !isSemver('1. 0.0', true) && !isSemver('1.0.0 ', true)",
                "isSemver('v1.0.0', true) && isSemver('01.01.01', true) && isSemver('1', true) && isSemver('1.1', true)",
                "!isSemver('v1.0.0', false) && !isSemver('1.1-a', true) && !isSemver('1.0.0-01') && !isSemver('1.0.0-a..b')",
                "semver('v01.01', true) == semver('1.1.0') && semver('1.2.3+a') == semver('1.2.3+b') && semver('1.2.3') != semver('1.0.0')",
                "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
                "semver('1.0.0').isLessThan(semver('1.2.3')) && !semver('1.0.0').isLessThan(semver('1.0.0'))",
                "semver('1.2.3').isGreaterThan(semver('1.0.0')) && semver('1.0.0').compareTo(semver('1.0.0-rc.1')) == 1",
                "['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.10']"
                        + ".map(v, semver(v)).isSorted()",
                "dyn(semver('1.0.0')).isLessThan(dyn(semver('1.0.1'))) && dyn(quantity('1')).isLessThan(dyn(quantity('2')))",
                "dyn([1, 2]).indexOf(2) == 1 && dyn('ab').indexOf('b') == 1 && dyn('a1').findAll(dyn('[a-z]'), dyn(1)) == ['a']",
                "x > 4.5 && dyn(5) == 5.0"
            })
    void are_there(String expression) {
        Expression.Outcome outcome = evaluate(expression);
        assertThat(outcome.error()).isEmpty();
        assertThat(outcome.value()).isEqualTo(true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a': 1}['b'] == x | no such key: b",
                "[1][7] == x | index out of bounds: 7",
                "x / 0 == 1 | division by zero",
                "x + 'a' == 'b' | no such overload",
                "9223372036854775807 + x > 0 | integer overflow",
                "quantity('no') == quantity('1') | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
                "[1].filter(i, i > 1).max() == 1 | max called on empty list",
                "ip('a') == ip('b') | IP Address \"a\" parse error during conversion from string: ParseAddr(\"a\"): unable to parse IP",
                "ip('fe80::1%eth0').family() == 6 | IP address \"fe80::1%eth0\" with zone value is not allowed",
                "ip.isCanonical('::ffff:1.2.3.4') | IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed",
                "cidr('192.168.0.0/').prefixLength() == 1 | network address parse error during conversion from string: "
                        + "network address parse error during conversion from string: netip.ParsePrefix(\"192.168.0.0/\"): bad bits after slash: \"\"",
                "cidr('1.2.3.4/33').prefixLength() == 1 | network address parse error during conversion from string: "
                        + "network address parse error during conversion from string: netip.ParsePrefix(\"1.2.3.4/33\"): prefix length out of range",
                "cidr('::ffff:1.2.3.4/24').prefixLength() == 1 "
                        + "| network address parse error during conversion from string: IPv4-mapped IPv6 address \"::ffff:1.2.3.4/24\" is not allowed",
                "semver('v1.0').major() == 1 | No Major.Minor.Patch elements found",
                "semver('v1.0.0').major() == 1 | Invalid character(s) found in major number \"v1\"",
                "semver('1.02.0').major() == 1 | Minor number must not contain leading zeroes \"02\"",
                "semver('1.0-a', true).major() == 1 | short version cannot contain PreRelease/Build meta data"
            })
    void fail_in_the_words_of_the_real_server(String expression, String error) {
        assertThat(evaluate(expression).error()).isEqualTo(error);
    }
}
