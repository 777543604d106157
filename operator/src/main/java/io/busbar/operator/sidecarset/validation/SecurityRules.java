package io.busbar.operator.sidecarset.validation;

import io.fabric8.kubernetes.api.model.AppArmorProfile;
import io.fabric8.kubernetes.api.model.SeccompProfile;
import io.fabric8.kubernetes.api.model.SecurityContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a container's security context must be. Pure functions, any thread; an absent one is right. */
final class SecurityRules {

    private SecurityRules() {}

    static void check(Field at, @Nullable SecurityContext security) {
        if (security == null) {
            return;
        }
        at.child("runAsUser").between(security.getRunAsUser(), 0, Integer.MAX_VALUE);
        at.child("runAsGroup").between(security.getRunAsGroup(), 0, Integer.MAX_VALUE);
        at.child("procMount").optionalOneOf(security.getProcMount(), "Default", "Unmasked");
        if (Boolean.FALSE.equals(security.getAllowPrivilegeEscalation())) {
            if (Boolean.TRUE.equals(security.getPrivileged())) {
                at.invalid("", "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
            }
            if (adds(security, "SYS_ADMIN") || adds(security, "CAP_SYS_ADMIN")) {
                at.invalid("", "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
            }
        }
        SeccompProfile seccomp = security.getSeccompProfile();
        if (seccomp != null) {
            profile(at.child("seccompProfile"), seccomp.getType(), seccomp.getLocalhostProfile());
        }
        AppArmorProfile appArmor = security.getAppArmorProfile();
        if (appArmor != null) {
            profile(at.child("appArmorProfile"), appArmor.getType(), appArmor.getLocalhostProfile());
        }
    }

    private static boolean adds(SecurityContext security, String capability) {
        List<String> added = security.getCapabilities() == null
                ? null
                : security.getCapabilities().getAdd();
        return added != null && added.contains(capability);
    }

    private static void profile(Field at, @Nullable String type, @Nullable String localhostProfile) {
        at.child("type").oneOf(type, "Localhost", "RuntimeDefault", "Unconfined");
        if ("Localhost".equals(type)) {
            at.child("localhostProfile").text(localhostProfile, Names::noBackstep);
        } else if (localhostProfile != null) {
            at.child("localhostProfile").invalid(localhostProfile, "may only be set when type is \"Localhost\"");
        }
    }
}
