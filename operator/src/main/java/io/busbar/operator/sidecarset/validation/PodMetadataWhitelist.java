package io.busbar.operator.sidecarset.validation;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.busbar.operator.sidecarset.matching.CompiledSelector;
import io.busbar.operator.sidecarset.v1beta1.SidecarSet;
import io.fabric8.kubernetes.api.model.LabelSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which SidecarSets may patch which annotations of Pods: rules that the cluster's administrator keeps in a ConfigMap.
 *
 * <p>Any thread. Source: OpenKruise's ConfigMap {@value #CONFIG_MAP}, key {@value #KEY}: JSON
 * <code>{"rules": [{"selector": …, "allowedAnnotationKeyExprs": […]}]}</code>, where a selector is of the set's labels.
 */
public final class PodMetadataWhitelist {

    /** Name of the ConfigMap, in the operator's namespace. */
    public static final String CONFIG_MAP = "kruise-configuration";

    public static final String KEY = "SidecarSet_PatchPodMetadata_WhiteList";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Supplier<Optional<String>> rules;
    private final boolean allowedByDefault;

    /**
     * @param rules what stands under the key now; empty where nothing does. Called for each set with patches; must not
     *     block
     * @param allowedByDefault whether everything is allowed where no rule is for the set
     */
    public PodMetadataWhitelist(Supplier<Optional<String>> rules, boolean allowedByDefault) {
        this.rules = rules;
        this.allowedByDefault = allowedByDefault;
    }

    /** Why the set may not patch what it wants to; empty if it may. */
    Optional<String> refusal(SidecarSet set) {
        Optional<String> text = rules.get();
        if (text.isEmpty()) {
            return allowedByDefault ? Optional.empty() : Optional.of("SidecarSet patch metadata whitelist not found");
        }
        try {
            List<Pattern> allowed = allowed(JSON.readValue(text.get(), Rules.class), set);
            if (allowed.isEmpty()) {
                return allowedByDefault
                        ? Optional.empty()
                        : Optional.of("sidecarSet patch metadata annotation is not allowed");
            }
            return set.getSpec().patchPodMetadata().stream()
                    .flatMap(patch -> patch.annotations().keySet().stream())
                    .filter(key -> allowed.stream()
                            .noneMatch(pattern -> pattern.matcher(key).find()))
                    .findFirst()
                    .map(key -> "sidecarSet patch metadata annotation(" + key + ") is not allowed");
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Optional.of("the whitelist in ConfigMap " + CONFIG_MAP + " cannot be read: " + e.getMessage());
        }
    }

    private static List<Pattern> allowed(Rules rules, SidecarSet set) {
        List<Pattern> allowed = new ArrayList<>();
        for (Rule rule : rules.rules() == null ? List.<Rule>of() : rules.rules()) {
            boolean applies = rule.selector() == null
                    || CompiledSelector.of(rule.selector())
                            .matches(set.getMetadata().getLabels());
            if (applies && rule.allowedAnnotationKeyExprs() != null) {
                rule.allowedAnnotationKeyExprs().forEach(expression -> allowed.add(Pattern.compile(expression)));
            }
        }
        return allowed;
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Rules(@Nullable List<Rule> rules) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Rule(
            @Nullable LabelSelector selector, @Nullable List<String> allowedAnnotationKeyExprs) {}
}
