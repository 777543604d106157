package io.busbar.operator.podbugger;

import io.busbar.operator.podbugger.v1beta1.Podbuggertool;
import io.busbar.operator.podbugger.v1beta1.PodbuggertoolSpec;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.EphemeralContainerBuilder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The container that a tool puts into Pods. Pure; any thread. */
final class DebugContainer {

    private static final int HASH_LENGTH = 8;
    private static final int LONGEST_TOOL = 63 - "debug--".length() - HASH_LENGTH;

    private DebugContainer() {}

    static EphemeralContainer of(Podbuggertool tool) {
        PodbuggertoolSpec spec = tool.getSpec();
        return new EphemeralContainerBuilder()
                .withName(name(tool))
                .withImage(spec.image())
                .withImagePullPolicy("IfNotPresent")
                .withCommand(spec.command())
                .withTargetContainerName(spec.targetContainerName())
                .withStdin(true)
                .withTty(true)
                .build();
    }

    /**
     * Another one for another image, since what is in a Pod cannot be changed. The name of a tool that is too long or
     * has dots is cut to what a container may be called, and then stands in the hash as well.
     */
    static String name(Podbuggertool tool) {
        String name = tool.getMetadata().getName();
        String image = tool.getSpec().image();
        if (name.length() <= LONGEST_TOOL && name.indexOf('.') < 0) {
            return "debug-" + name + "-" + hash(image);
        }
        String shortened =
                name.substring(0, Math.min(name.length(), LONGEST_TOOL)).replace('.', '-');
        return "debug-" + shortened + "-" + hash(name + " " + image);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_LENGTH);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("this JVM has no SHA-256", impossible);
        }
    }
}
