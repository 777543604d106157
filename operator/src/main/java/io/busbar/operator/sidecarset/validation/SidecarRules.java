package io.busbar.operator.sidecarset.validation;

import io.busbar.operator.sidecarset.resources.Amount;
import io.busbar.operator.sidecarset.resources.Calculator;
import io.busbar.operator.sidecarset.v1beta1.ContainerNameSource;
import io.busbar.operator.sidecarset.v1beta1.ResourceExpression;
import io.busbar.operator.sidecarset.v1beta1.ResourceExpressions;
import io.busbar.operator.sidecarset.v1beta1.ResourcesPolicy;
import io.busbar.operator.sidecarset.v1beta1.ShareVolumePolicy;
import io.busbar.operator.sidecarset.v1beta1.SidecarContainer;
import io.busbar.operator.sidecarset.v1beta1.TransferEnvVar;
import io.busbar.operator.sidecarset.v1beta1.UpgradeStrategy;
import io.fabric8.kubernetes.api.model.ObjectFieldSelector;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** What a sidecar's own fields must be, beside those of a core Container. Pure functions, any thread. */
final class SidecarRules {

    private static final Pattern SUBSCRIPTED = Pattern.compile("metadata\\.(labels|annotations)\\['(.*)']");

    private SidecarRules() {}

    static void container(Field at, SidecarContainer container) {
        if (!List.of(SidecarContainer.BEFORE, SidecarContainer.AFTER)
                .contains(String.valueOf(container.getPodInjectPolicy()))) {
            at.child("podInjectPolicy")
                    .invalid(String.valueOf(container.getPodInjectPolicy()), "unsupported pod inject policy");
        }
        ShareVolumePolicy volumes = container.getShareVolumePolicy();
        sharePolicy(at.child("shareVolumePolicy"), volumes == null ? null : volumes.type());
        ShareVolumePolicy devices = container.getShareVolumeDevicePolicy();
        if (devices != null) {
            sharePolicy(at.child("shareVolumeDevicePolicy"), devices.type());
        }
        UpgradeStrategy upgrade = container.getUpgradeStrategy();
        if (upgrade != null) {
            at.child("upgradeStrategy")
                    .child("upgradeType")
                    .optionalOneOf(upgrade.upgradeType(), UpgradeStrategy.COLD, UpgradeStrategy.HOT);
            if (container.upgradesHot()) {
                at.child("upgradeStrategy").child("hotUpgradeEmptyImage").hasText(upgrade.hotUpgradeEmptyImage());
            }
        }
        both(at, container);
    }

    static void initContainer(Field at, SidecarContainer container) {
        if (container.getResourcesPolicy() != null && !container.runsAsNativeSidecar()) {
            at.child("resourcesPolicy")
                    .forbidden("resourcesPolicy is only supported for containers with RestartPolicy Always");
        }
        both(at, container);
    }

    private static void both(Field at, SidecarContainer container) {
        at.<TransferEnvVar>each("transferEnv", container.getTransferEnv(), SidecarRules::transferEnv);
        if (container.getResourcesPolicy() != null) {
            resourcesPolicy(at.child("resourcesPolicy"), container.getResourcesPolicy(), container.getResources());
        }
    }

    private static void sharePolicy(Field at, @Nullable String type) {
        if (!List.of(ShareVolumePolicy.ENABLED, ShareVolumePolicy.DISABLED).contains(String.valueOf(type))) {
            at.child("type").invalid(String.valueOf(type), "unsupported share volume policy");
        }
    }

    private static void transferEnv(Field at, TransferEnvVar env) {
        ContainerNameSource source = env.sourceContainerNameFrom();
        ObjectFieldSelector reference = source == null ? null : source.fieldRef();
        if (reference == null) {
            return;
        }
        Field path = at.child("sourceContainerNameFrom").child("fieldRef").child("fieldPath");
        if (!path.hasText(reference.getFieldPath())) {
            return;
        }
        Matcher subscripted = SUBSCRIPTED.matcher(reference.getFieldPath());
        if (!subscripted.matches()) {
            path.invalid(
                    reference.getFieldPath(),
                    "error converting fieldPath: field label not supported: " + reference.getFieldPath()
                            + ", allowed: metadata.labels['<KEY>'], metadata.annotations['<KEY>']");
        } else {
            String key = subscripted.group(2);
            path.text(subscripted.group(1).equals("labels") ? key : key.toLowerCase(Locale.ROOT), Names::qualified);
        }
    }

    private static void resourcesPolicy(Field at, ResourcesPolicy policy, @Nullable ResourceRequirements resources) {
        if (resources != null && !(isNone(resources.getLimits()) && isNone(resources.getRequests()))) {
            at.forbidden("resourcesPolicy and resources cannot be configured together");
            return;
        }
        at.child("targetContainersMode").oneOf(policy.targetContainersMode(), ResourcesPolicy.SUM, ResourcesPolicy.MAX);
        Field regex = at.child("targetContainersNameRegex");
        if (policy.targetContainersNameRegex() == null
                || policy.targetContainersNameRegex().isEmpty()) {
            regex.required("invalid empty regex");
        } else {
            regex.optionalText(policy.targetContainersNameRegex(), SidecarRules::regex);
        }
        ResourceExpressions expressions = policy.resourcesExpr();
        Field expression = at.child("resourcesExpr");
        if (expressions == null || (expressions.limits() == null && expressions.requests() == null)) {
            expression.required("at least one of limits or requests must be configured");
        } else {
            expressions(expression.child("limits"), expressions.limits());
            expressions(expression.child("requests"), expressions.requests());
        }
    }

    private static boolean isNone(@Nullable Map<?, ?> map) {
        return map == null || map.isEmpty();
    }

    private static Optional<String> regex(String regex) {
        try {
            Pattern.compile(regex);
            return Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of("invalid regex pattern: " + e.getDescription());
        }
    }

    private static void expressions(Field at, @Nullable ResourceExpression expressions) {
        if (expressions != null) {
            at.child("cpu").optionalText(expressions.cpu(), text -> expression(text, "cpu"));
            at.child("memory").optionalText(expressions.memory(), text -> expression(text, "memory"));
        }
    }

    /** Tried with the bare number 1, as OpenKruise tries it: what would be negative then is refused. */
    private static Optional<String> expression(String text, String variable) {
        try {
            Calculator.calculate(text, Map.of(variable, new Amount.Bare(1)));
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("invalid expression: " + e.getMessage());
        }
    }
}
