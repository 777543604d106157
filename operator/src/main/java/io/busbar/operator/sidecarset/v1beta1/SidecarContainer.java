package io.busbar.operator.sidecarset.v1beta1;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A core Container and how it is injected.
 *
 * <p>For the thread that holds it: mutable as the client's models are, with accessors that Jackson finds. Fields that
 * are not known are kept at each level. {@code toBuilder()} is inherited and knows only the Container.
 */
@PreserveUnknownFields
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class SidecarContainer extends Container {

    /** Goes ahead of the Pod's own containers. */
    public static final String BEFORE = "BeforeAppContainer";

    /** Goes behind the Pod's own containers. */
    public static final String AFTER = "AfterAppContainer";

    private static final long serialVersionUID = 1L;

    /** Whether it goes ahead of the Pod's own containers, BeforeAppContainer, or behind them, AfterAppContainer. */
    private @Nullable String podInjectPolicy;

    /** How its image is changed in a running Pod. */
    private @Nullable UpgradeStrategy upgradeStrategy;

    /** Whether it gets the mounts of the Pod's own containers. */
    private @Nullable ShareVolumePolicy shareVolumePolicy;

    /** Whether it gets the block devices of the Pod's own containers. */
    private @Nullable ShareVolumePolicy shareVolumeDevicePolicy;

    /** Environment variables that it takes over from the Pod's own containers. */
    private @Nullable List<TransferEnvVar> transferEnv;

    /** Resources that are worked out from those of the Pod's own containers; not together with resources. */
    private @Nullable ResourcesPolicy resourcesPolicy;

    /** A copy of the Container alone. */
    public Container toContainer() {
        return new ContainerBuilder(this).build();
    }

    /** Whether it keeps running beside the Pod's containers although it starts as an init container. */
    public boolean runsAsNativeSidecar() {
        return "Always".equals(getRestartPolicy());
    }

    /** Whether its image changes by way of a second container, without a pause. */
    public boolean upgradesHot() {
        return upgradeStrategy != null && UpgradeStrategy.HOT.equals(upgradeStrategy.upgradeType());
    }

    public @Nullable String getPodInjectPolicy() {
        return podInjectPolicy;
    }

    public void setPodInjectPolicy(@Nullable String podInjectPolicy) {
        this.podInjectPolicy = podInjectPolicy;
    }

    public @Nullable UpgradeStrategy getUpgradeStrategy() {
        return upgradeStrategy;
    }

    public void setUpgradeStrategy(@Nullable UpgradeStrategy upgradeStrategy) {
        this.upgradeStrategy = upgradeStrategy;
    }

    public @Nullable ShareVolumePolicy getShareVolumePolicy() {
        return shareVolumePolicy;
    }

    public void setShareVolumePolicy(@Nullable ShareVolumePolicy shareVolumePolicy) {
        this.shareVolumePolicy = shareVolumePolicy;
    }

    public @Nullable ShareVolumePolicy getShareVolumeDevicePolicy() {
        return shareVolumeDevicePolicy;
    }

    public void setShareVolumeDevicePolicy(@Nullable ShareVolumePolicy shareVolumeDevicePolicy) {
        this.shareVolumeDevicePolicy = shareVolumeDevicePolicy;
    }

    public @Nullable List<TransferEnvVar> getTransferEnv() {
        return transferEnv;
    }

    public void setTransferEnv(@Nullable List<TransferEnvVar> transferEnv) {
        this.transferEnv = transferEnv;
    }

    public @Nullable ResourcesPolicy getResourcesPolicy() {
        return resourcesPolicy;
    }

    public void setResourcesPolicy(@Nullable ResourcesPolicy resourcesPolicy) {
        this.resourcesPolicy = resourcesPolicy;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SidecarContainer that
                && super.equals(that)
                && Objects.equals(podInjectPolicy, that.podInjectPolicy)
                && Objects.equals(upgradeStrategy, that.upgradeStrategy)
                && Objects.equals(shareVolumePolicy, that.shareVolumePolicy)
                && Objects.equals(shareVolumeDevicePolicy, that.shareVolumeDevicePolicy)
                && Objects.equals(transferEnv, that.transferEnv)
                && Objects.equals(resourcesPolicy, that.resourcesPolicy);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                super.hashCode(),
                podInjectPolicy,
                upgradeStrategy,
                shareVolumePolicy,
                shareVolumeDevicePolicy,
                transferEnv,
                resourcesPolicy);
    }
}
