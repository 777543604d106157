package io.busbar.sandbox.kinds.volume;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.busbar.sandbox.rules.Fields;
import io.busbar.sandbox.syntax.NoQuantityException;
import io.busbar.sandbox.syntax.Quantity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defaults of volumes, claims and amounts, in place. Any thread. */
public final class VolumeDefaults {

    private static final int READ_WRITE_FOR_OWNER = 0644;

    private VolumeDefaults() {}

    public static void podVolume(ObjectNode volume) {
        if (volume.size() <= 1) {
            volume.putObject("emptyDir");
        }
        for (String source : new String[] {"secret", "configMap", "downwardAPI", "projected"}) {
            Fields.ifObject(volume.get(source), found -> Fields.number(found, "defaultMode", READ_WRITE_FOR_OWNER));
        }
        Fields.ifObject(volume.get("hostPath"), VolumeDefaults::hostPath);
        Fields.ifObject(volume.get("emptyDir"), empty -> amount(empty, "sizeLimit"));
        Fields.ifObject(volume.get("iscsi"), iscsi -> Fields.text(iscsi, "iscsiInterface", "default"));
        Fields.ifObject(volume.get("downwardAPI"), VolumeDefaults::downward);
        Fields.each(volume.path("projected").path("sources"), source -> {
            Fields.ifObject(source.get("downwardAPI"), VolumeDefaults::downward);
            Fields.ifObject(
                    source.get("serviceAccountToken"), token -> Fields.number(token, "expirationSeconds", 3600));
        });
        Fields.ifObject(volume.path("ephemeral").get("volumeClaimTemplate"), template -> {
            Fields.in(template, "metadata");
            Fields.ifObject(template.get("spec"), VolumeDefaults::claim);
        });
    }

    private static void downward(ObjectNode downward) {
        Fields.each(downward.path("items"), VolumeDefaults::source);
    }

    /** Of an environment variable, or of a file of the downward API. */
    public static void source(ObjectNode holder) {
        Fields.ifObject(holder.get("fieldRef"), reference -> Fields.text(reference, "apiVersion", "v1"));
        Fields.ifObject(holder.get("resourceFieldRef"), reference -> {
            amount(reference, "divisor");
            Fields.text(reference, "divisor", "0");
        });
    }

    public static void claim(ObjectNode spec) {
        Fields.text(spec, "volumeMode", "Filesystem");
        resources(spec.get("resources"));
    }

    public static void volume(ObjectNode spec) {
        Fields.text(spec, "persistentVolumeReclaimPolicy", "Retain");
        Fields.text(spec, "volumeMode", "Filesystem");
        Fields.ifObject(spec.get("hostPath"), VolumeDefaults::hostPath);
        amounts(spec.get("capacity"));
    }

    private static void hostPath(ObjectNode hostPath) {
        if (!hostPath.has("type")) {
            hostPath.put("type", "");
        }
    }

    public static void resources(@Nullable JsonNode resources) {
        Fields.ifObject(resources, object -> {
            amounts(object.get("limits"));
            amounts(object.get("requests"));
        });
    }

    /** @throws NoQuantityException when one is none */
    public static void amounts(@Nullable JsonNode amounts) {
        Fields.ifObject(amounts, object -> {
            List<String> names =
                    object.properties().stream().map(Map.Entry::getKey).toList();
            names.forEach(name -> amount(object, name));
        });
    }

    private static void amount(ObjectNode object, String field) {
        JsonNode amount = object.get(field);
        if (amount != null) {
            String text = amount.isNumber() ? amount.decimalValue().toPlainString() : amount.asText();
            Quantity quantity = Quantity.parse(text).orElseThrow(NoQuantityException::new);
            object.set(field, TextNode.valueOf(quantity.canonical()));
        }
    }
}
