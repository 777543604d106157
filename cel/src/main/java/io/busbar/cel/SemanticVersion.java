package io.busbar.cel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A version such as {@code 1.2.3-beta.1+build.5}. What was built is not looked at when two are compared.
 *
 * <p>Immutable.
 *
 * @param major a number without a sign, as the other two
 * @param prerelease empty for a release
 */
record SemanticVersion(long major, long minor, long patch, List<String> prerelease)
        implements Comparable<SemanticVersion> {

    private static final Pattern DIGITS = Pattern.compile("[0-9]*");
    private static final Pattern WORD = Pattern.compile("[0-9A-Za-z-]*");

    SemanticVersion {
        prerelease = List.copyOf(prerelease);
    }

    /** @throws IllegalArgumentException in the words of the library that Kubernetes takes */
    static SemanticVersion parse(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("Version string empty");
        }
        String[] parts = text.split("\\.", 3);
        if (parts.length < 3) {
            throw new IllegalArgumentException("No Major.Minor.Patch elements found");
        }
        String[] built = parts[2].split("\\+", 2);
        String[] released = built[0].split("-", 2);
        long major = number("Major", parts[0]);
        long minor = number("Minor", parts[1]);
        long patch = number("Patch", released[0]);
        List<String> prerelease = words(released).toList();
        prerelease.forEach(SemanticVersion::checkPrerelease);
        words(built).forEach(SemanticVersion::checkBuilt);
        return new SemanticVersion(major, minor, patch, prerelease);
    }

    /** The same of a version that may begin with a v, have leading zeros, and lack its last numbers. */
    static SemanticVersion parseNormalized(String text) {
        List<String> parts = Stream.of(text.replaceFirst("^v", "").split("\\.", 3))
                .map(part -> part.length() < 2 ? part : part.replaceFirst("^0+(?=[0-9])", ""))
                .collect(Collectors.toCollection(ArrayList::new));
        String last = parts.get(parts.size() - 1);
        if (parts.size() < 3 && (last.contains("+") || last.contains("-"))) {
            throw new IllegalArgumentException("short version cannot contain PreRelease/Build meta data");
        }
        while (parts.size() < 3) {
            parts.add("0");
        }
        return parse(String.join(".", parts));
    }

    private static Stream<String> words(String[] halves) {
        return halves.length < 2 ? Stream.empty() : Stream.of(halves[1].split("\\.", -1));
    }

    private static long number(String name, String text) {
        if (!DIGITS.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "Invalid character(s) found in " + name.toLowerCase(Locale.ROOT) + " number " + quoted(text));
        }
        return unsigned(text, name + " number");
    }

    private static long unsigned(String text, String name) {
        if (text.length() > 1 && text.startsWith("0")) {
            throw new IllegalArgumentException(name + " must not contain leading zeroes " + quoted(text));
        }
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "strconv.ParseUint: parsing " + quoted(text) + ": "
                            + (text.isEmpty() ? "invalid syntax" : "value out of range"),
                    e);
        }
    }

    private static void checkPrerelease(String word) {
        if (word.isEmpty()) {
            throw new IllegalArgumentException("Prerelease is empty");
        }
        if (!WORD.matcher(word).matches()) {
            throw new IllegalArgumentException("Invalid character(s) found in prerelease " + quoted(word));
        }
        if (DIGITS.matcher(word).matches()) {
            unsigned(word, "Numeric PreRelease version");
        }
    }

    private static void checkBuilt(String word) {
        if (word.isEmpty()) {
            throw new IllegalArgumentException("Build meta data is empty");
        }
        if (!WORD.matcher(word).matches()) {
            throw new IllegalArgumentException("Invalid character(s) found in build meta data " + quoted(word));
        }
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    /** By precedence: a release comes after what was made before it. */
    @Override
    public int compareTo(SemanticVersion other) {
        int order = Long.compareUnsigned(major, other.major);
        order = order != 0 ? order : Long.compareUnsigned(minor, other.minor);
        order = order != 0 ? order : Long.compareUnsigned(patch, other.patch);
        order = order != 0 ? order : Boolean.compare(prerelease.isEmpty(), other.prerelease.isEmpty());
        for (int i = 0; order == 0 && i < Math.min(prerelease.size(), other.prerelease.size()); i++) {
            order = compare(prerelease.get(i), other.prerelease.get(i));
        }
        return Integer.signum(order != 0 ? order : Integer.compare(prerelease.size(), other.prerelease.size()));
    }

    /** Numbers come before words. */
    private static int compare(String one, String other) {
        boolean number = DIGITS.matcher(one).matches();
        boolean otherNumber = DIGITS.matcher(other).matches();
        return number && otherNumber
                ? Long.compareUnsigned(Long.parseUnsignedLong(one), Long.parseUnsignedLong(other))
                : number != otherNumber ? (number ? -1 : 1) : one.compareTo(other);
    }
}
