package io.busbar.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.runtime.CelEvaluationException;
import java.util.Objects;

/** {@code semver}, {@code isSemver}, and how versions are compared. Any thread. */
final class VersionFunctions {

    private VersionFunctions() {}

    static void addTo(KubernetesLibrary overloads) {
        overloads.type("Semver", OpaqueType.create("kubernetes.Semver"), SemanticVersion.class);
        overloads.global("Semver semver(string)", (String text) -> parsed(text, false));
        overloads.global("Semver semver(string, bool)", VersionFunctions::parsed);
        overloads.global("bool isSemver(string)", (String text) -> isVersion(text, false));
        overloads.global("bool isSemver(string, bool)", VersionFunctions::isVersion);
        overloads.member("int major(Semver)", SemanticVersion::major);
        overloads.member("int minor(Semver)", SemanticVersion::minor);
        overloads.member("int patch(Semver)", SemanticVersion::patch);
        overloads.member("int compareTo(Semver, Semver)", (SemanticVersion one, SemanticVersion other) ->
                (long) one.compareTo(other));
        overloads.member(
                "bool isLessThan(Semver, Semver)",
                (SemanticVersion one, SemanticVersion other) -> one.compareTo(other) < 0);
        overloads.member(
                "bool isGreaterThan(Semver, Semver)",
                (SemanticVersion one, SemanticVersion other) -> one.compareTo(other) > 0);
    }

    private static SemanticVersion parsed(String text, boolean normalize) throws CelEvaluationException {
        try {
            return normalize ? SemanticVersion.parseNormalized(text) : SemanticVersion.parse(text);
        } catch (IllegalArgumentException e) {
            throw new CelEvaluationException(String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isVersion(String text, boolean normalize) {
        try {
            return Objects.nonNull(parsed(text, normalize));
        } catch (CelEvaluationException e) {
            return false;
        }
    }
}
