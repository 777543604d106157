package io.busbar.scaffold.project;

import io.busbar.common.configuration.ConfigurationProblem;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;

/**
 * What a name in a project may be, for Kubernetes, for Maven and for Java.
 *
 * <p>Immutable. Sources: RFC 1123 and RFC 1035 as apimachinery reads them; Kubernetes' order of versions; the Java
 * language.
 */
public enum NameRule {
    DOMAIN(NameRule.DNS_NAME, 253, "a DNS name in lower case, such as example.com"),
    /** Leaves room for what names of installed objects have behind it. */
    PROJECT("[a-z]([-a-z0-9]*[a-z0-9])?", 30, "a letter, then up to 29 letters, digits and '-', in lower case"),
    GROUP("(" + NameRule.DNS_NAME + ")?", 253, "a DNS name in lower case without the domain, such as shop"),
    VERSION("v[1-9][0-9]{0,3}((alpha|beta)[1-9][0-9]{0,3})?", 63, "v1, v2beta1, v1alpha3 or the like"),
    KIND(
            "[A-Z][A-Za-z0-9]*",
            63,
            "a word that begins with a capital, of letters and digits, and is no name that the generated code uses"),
    PLURAL("[a-z]([-a-z0-9]*[a-z0-9])?", 63, "a letter, then letters, digits and '-', in lower case"),
    REPO(
            "[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)*",
            200,
            "a Java package in lower case, such as com.example.shop, without keywords and outside of java");

    private static final String DNS_NAME = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

    /** A class of such a name would hide what the generated code means by it. */
    static final Set<String> USED_NAMES = Set.of(
            "AdditionalPrinterColumn",
            "AdmissionRequest",
            "Bundle",
            "BundleContext",
            "BusbarOperator",
            "Clock",
            "Condition",
            "Conditions",
            "Controller",
            "Converted",
            "Converter",
            "Default",
            "Defaulter",
            "Difference",
            "Exception",
            "Extras",
            "FieldProblem",
            "Files",
            "Group",
            "HasConditions",
            "IOException",
            "InMemoryContext",
            "Integer",
            "JsonIgnoreProperties",
            "JsonInclude",
            "KubernetesClient",
            "List",
            "Max",
            "Min",
            "Namespaced",
            "ObjectMapper",
            "OperatorDefinition",
            "OperatorTest",
            "Override",
            "Path",
            "Permission",
            "Plural",
            "Random",
            "ReconcileContext",
            "ReconcileResult",
            "Reconciler",
            "RecordResource",
            "RoundTrips",
            "String",
            "Test",
            "TimeUnit",
            "Validator",
            "Verdict",
            "Version",
            "Versions",
            "Webhook");

    private final Pattern pattern;
    private final int longest;
    private final String allowed;

    NameRule(String pattern, int longest, String allowed) {
        this.pattern = Pattern.compile(pattern);
        this.longest = longest;
        this.allowed = allowed;
    }

    public boolean allows(String name) {
        return name.length() <= longest
                && pattern.matcher(name).matches()
                && switch (this) {
                    case DOMAIN, GROUP -> Arrays.stream(name.split("\\.")).allMatch(label -> label.length() <= 63);
                    case KIND -> !USED_NAMES.contains(name);
                    case REPO -> SourceVersion.isName(name) && !(name + ".").startsWith("java.");
                    case PROJECT, VERSION, PLURAL -> true;
                };
    }

    /** What is allowed, in words. */
    public String allowed() {
        return allowed;
    }

    /** Adds a problem unless a name is allowed. */
    void check(String key, String name, Collection<? super ConfigurationProblem> problems) {
        problem(key, name).ifPresent(problems::add);
    }

    /** What is wrong with a name, if anything. */
    public Optional<ConfigurationProblem> problem(String key, String name) {
        return allows(name) ? Optional.empty() : Optional.of(new ConfigurationProblem(key, name, allowed));
    }
}
