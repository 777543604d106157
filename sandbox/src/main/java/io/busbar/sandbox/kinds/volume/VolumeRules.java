package io.busbar.sandbox.kinds.volume;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.busbar.sandbox.rules.BuiltInRules;
import io.busbar.sandbox.rules.Fields;

/** The rules of PersistentVolumes and of StorageClasses. Any thread. */
public final class VolumeRules extends BuiltInRules {

    public VolumeRules(Facts facts) {
        super(facts);
    }

    @Override
    protected void fillDefaults(ObjectNode object) {
        if (type().kind().equals("StorageClass")) {
            Fields.text(object, "reclaimPolicy", "Delete");
            Fields.text(object, "volumeBindingMode", "Immediate");
        } else {
            VolumeDefaults.volume(Fields.in(object, "spec"));
        }
    }

    @Override
    protected ObjectNode initialStatus(ObjectNode object) {
        return super.initialStatus(object).put("phase", "Pending");
    }
}
